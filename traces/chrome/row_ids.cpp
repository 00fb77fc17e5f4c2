#include "traces/chrome/row_ids.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace paceline {
namespace {

// Above this an id of the trace is replaced: viewers keep ids in 32 bits.
constexpr std::int64_t largest_id = 2'000'000'000;

// Hands out ids: the wanted one if it is free, else the next one above all that anyone wants.
class IdPool {
 public:
  void expect(std::int64_t id) {
    if (usable(id)) next_ = std::max(next_, id + 1);
  }
  std::int64_t take(std::int64_t wanted) {
    if (usable(wanted) && taken_.insert(wanted).second) return wanted;
    taken_.insert(next_);
    return next_++;
  }
  std::int64_t take_new() { return take(-1); }

 private:
  static bool usable(std::int64_t id) { return id >= 0 && id <= largest_id; }
  std::set<std::int64_t> taken_;
  std::int64_t next_ = 1;
};

using ProcessKey = std::tuple<std::int32_t, std::int64_t, StringId>;

void assign_processes(const Timeline& timeline, RowIds& rows) {
  IdPool ids;
  for (const Track& track : timeline.tracks) ids.expect(track.process_id);
  std::map<ProcessKey, std::size_t> known;
  for (const Track& track : timeline.tracks) {
    const auto [place, inserted] =
        known.try_emplace({track.rank, track.process_id, track.process_name}, rows.processes.size());
    if (inserted)
      rows.processes.push_back({ids.take(track.process_id), track.rank, track.process_name, false});
    if (track.kind == TrackKind::device_stream) rows.processes[place->second].has_device = true;
    rows.process.push_back(place->second);
  }
  std::map<std::int32_t, std::size_t> of_rank;
  for (std::size_t index = 0; index < rows.processes.size(); ++index)
    of_rank.try_emplace(rows.processes[index].rank, index);
  for (const Counter& counter : timeline.counters) {
    const auto [place, inserted] = of_rank.try_emplace(counter.rank, rows.processes.size());
    if (inserted) rows.processes.push_back({ids.take_new(), counter.rank, 0, false});
    rows.counter_process.push_back(place->second);
  }
}

void assign_threads(const Timeline& timeline, const LaneAssignment& lanes, RowIds& rows) {
  std::vector<IdPool> ids(rows.processes.size());
  for (std::size_t track = 0; track < timeline.tracks.size(); ++track)
    ids[rows.process[track]].expect(timeline.tracks[track].thread_id);
  rows.lanes.resize(timeline.tracks.size());
  for (std::size_t track = 0; track < timeline.tracks.size(); ++track)
    rows.lanes[track].push_back(ids[rows.process[track]].take(timeline.tracks[track].thread_id));
  for (std::size_t track = 0; track < timeline.tracks.size(); ++track)
    while (rows.lanes[track].size() < lanes.lane_count[track])
      rows.lanes[track].push_back(ids[rows.process[track]].take_new());
}

}  // namespace

RowIds assign_row_ids(const Timeline& timeline, const LaneAssignment& lanes) {
  RowIds rows;
  assign_processes(timeline, rows);
  assign_threads(timeline, lanes, rows);
  return rows;
}

}  // namespace paceline
