#include "traces/analysis/analysis.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "traces/analysis/interval_union.h"

namespace paceline {
namespace {

void add_saturating(Nanoseconds& total, Nanoseconds amount) {
  constexpr Nanoseconds largest = std::numeric_limits<Nanoseconds>::max();
  total = amount > largest - total ? largest : total + amount;
}

double share(Nanoseconds part, Nanoseconds whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Gathers the slices of one rank.
class RankCollector {
 public:
  RankCollector(const Timeline& timeline, std::int32_t rank) : timeline_(timeline) { result_.rank = rank; }

  void add(SliceId slice) {
    const Family family = timeline_.family(slice);
    const Nanoseconds duration = timeline_.duration(slice);
    NameTotal& name = names_[{family, timeline_.name(slice)}];
    ++name.count;
    add_saturating(name.total, duration);
    if (family == Family::step)
      result_.steps.push_back({timeline_.name_text(slice), timeline_.start(slice), duration});
    add_device_work(slice, family);
  }

  RankAnalysis finish() {
    if (!work_.empty()) result_.device = device_time();
    finish_steps();
    finish_names();
    return std::move(result_);
  }

 private:
  struct NameTotal {
    std::uint64_t count = 0;
    Nanoseconds total = 0;
  };

  void add_device_work(SliceId slice, Family family) {
    const Interval interval{timeline_.start(slice), timeline_.end(slice)};
    switch (family) {
      case Family::kernel:
        compute_.push_back(interval);
        add_saturating(device_.compute_total, timeline_.duration(slice));
        break;
      case Family::communication:
        communication_.push_back(interval);
        add_saturating(communication_time_.total, timeline_.duration(slice));
        break;
      case Family::copy:
      case Family::set:
        ++device_.copies_and_sets;
        break;
      default:
        return;
    }
    work_.push_back(interval);
    tracks_.insert(timeline_.track(slice));
  }

  DeviceTime device_time() {
    device_.kernels = compute_.size() + communication_.size();
    device_.streams = tracks_.size();
    const IntervalUnion compute(std::move(compute_));
    device_.compute_union = compute.length();
    device_.first_start = work_.front().begin;
    Nanoseconds last_end = work_.front().end;
    for (const Interval& interval : work_) {
      device_.first_start = std::min(device_.first_start, interval.begin);
      last_end = std::max(last_end, interval.end);
    }
    device_.span = last_end - device_.first_start;
    device_.busy = IntervalUnion(std::move(work_)).length();
    device_.busy_share = share(device_.busy, device_.span);
    if (!communication_.empty()) device_.communication = communication_time(compute);
    return device_;
  }

  CommunicationTime communication_time(const IntervalUnion& compute) {
    communication_time_.count = communication_.size();
    const IntervalUnion communication(std::move(communication_));
    communication_time_.union_length = communication.length();
    communication_time_.overlapped = overlap(communication, compute);
    communication_time_.exposed = communication_time_.union_length - communication_time_.overlapped;
    communication_time_.overlapped_share =
        share(communication_time_.overlapped, communication_time_.union_length);
    return communication_time_;
  }

  void finish_steps() {
    if (result_.steps.empty()) return;
    std::sort(result_.steps.begin(), result_.steps.end(), [](const StepTime& a, const StepTime& b) {
      return std::tie(a.start, a.duration, a.name) < std::tie(b.start, b.duration, b.name);
    });
    Nanoseconds total = 0;
    for (const StepTime& step : result_.steps) add_saturating(total, step.duration);
    result_.mean_step = static_cast<double>(total) / static_cast<double>(result_.steps.size());
  }

  void finish_names() {
    std::map<Family, Nanoseconds> family_totals;
    for (const auto& [key, name] : names_) add_saturating(family_totals[key.first], name.total);
    for (const auto& [key, name] : names_) {
      result_.names.push_back({key.first, timeline_.strings[key.second], name.count, name.total,
                               static_cast<double>(name.total) / static_cast<double>(name.count),
                               share(name.total, family_totals[key.first])});
    }
    std::sort(result_.names.begin(), result_.names.end(), [](const NameTime& a, const NameTime& b) {
      return std::tie(b.total, a.family, a.name) < std::tie(a.total, b.family, b.name);
    });
  }

  const Timeline& timeline_;
  RankAnalysis result_;
  DeviceTime device_;
  CommunicationTime communication_time_;
  std::vector<Interval> work_, compute_, communication_;
  std::set<TrackId> tracks_;
  std::map<std::pair<Family, StringId>, NameTotal> names_;
};

}  // namespace

const RankAnalysis* Analysis::find(std::int32_t rank) const {
  const auto found =
      std::find_if(ranks.begin(), ranks.end(), [&](const RankAnalysis& item) { return item.rank == rank; });
  return found == ranks.end() ? nullptr : &*found;
}

Analysis analyze(const Timeline& timeline, std::optional<std::int32_t> rank) {
  std::map<std::int32_t, RankCollector> collectors;
  std::vector<RankCollector*> of_track;
  for (const Track& track : timeline.tracks) {
    const bool wanted = !rank || track.rank == *rank;
    of_track.push_back(wanted ? &collectors.try_emplace(track.rank, timeline, track.rank).first->second
                              : nullptr);
  }
  for (SliceId slice = 0; slice < timeline.slice_count(); ++slice)
    if (RankCollector* collector = of_track[timeline.track(slice)]) collector->add(slice);
  Analysis analysis;
  for (auto& [unused, collector] : collectors) analysis.ranks.push_back(collector.finish());
  return analysis;
}

}  // namespace paceline
