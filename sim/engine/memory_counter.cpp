#include "sim/engine/memory_counter.h"

#include <algorithm>
#include <tuple>

#include "sim/engine/to_timeline.h"

namespace paceline {
namespace {

struct Change {
  double time;
  OpId op;
  bool at_end;
  double bytes;
  // At equal times the order of operations decides: what one frees at its end, a later one can have at its
  // start.
  [[nodiscard]] auto key() const { return std::tie(time, op, at_end); }
};

void add_counter(const Program& program, RankId rank, double before_step, std::vector<Change>& changes,
                 Timeline& timeline) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.key() < b.key(); });
  Counter counter{.rank = program.ranks[rank].first_rank,
                  .name = timeline.strings.intern("memory allocated"),
                  .unit = timeline.strings.intern("bytes"),
                  .times = {0},
                  .values = {before_step}};
  double held = before_step;
  for (const Change& change : changes) {
    held += change.bytes;
    counter.times.push_back(to_nanoseconds(change.time));
    counter.values.push_back(held);
  }
  timeline.counters.push_back(std::move(counter));
}

}  // namespace

void add_memory_counters(const Program& program, const Schedule& schedule, Timeline& timeline) {
  std::vector<double> before_step(program.ranks.size());
  std::vector<std::vector<Change>> changes(program.ranks.size());
  std::vector<bool> has_events(program.ranks.size());
  for (const MemoryEvent& event : program.memory) {
    has_events[event.rank] = true;
    if (event.op == no_id) {
      before_step[event.rank] += event.change.value();
    } else {
      const double time = event.at_end ? schedule.end[event.op] : schedule.start[event.op];
      changes[event.rank].push_back({time, event.op, event.at_end, event.change.value()});
    }
  }
  for (RankId rank = 0; rank < program.ranks.size(); ++rank)
    if (has_events[rank] && program.ranks[rank].is_device)
      add_counter(program, rank, before_step[rank], changes[rank], timeline);
}

}  // namespace paceline
