#include "sim/memory/memory.h"

#include <algorithm>

namespace paceline {
namespace {

struct Change {
  double time;
  const MemoryEvent* event;
};

std::vector<Change> changes_of(const Program& program, const Schedule& schedule, RankId rank) {
  std::vector<Change> changes;
  for (const MemoryEvent& event : program.memory) {
    if (event.rank != rank) continue;
    // State held before the step is there before anything of the step happens.
    const double time = event.op == no_id ? -1
                        : event.at_end    ? schedule.end[event.op]
                                          : schedule.start[event.op];
    changes.push_back({time, &event});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    if (a.time != b.time) return a.time < b.time;
    return a.event->change < Bytes(0) && b.event->change > Bytes(0);
  });
  return changes;
}

RankMemory peak_of(const Program& program, const Schedule& schedule, RankId rank) {
  RankMemory memory;
  memory.rank = rank;
  memory.name = program.ranks[rank].name;
  memory.multiplicity = program.ranks[rank].multiplicity;
  memory.peak_phase = "before the step";
  std::array<Bytes, memory_cause_count> held{};
  Bytes total;
  for (const Change& change : changes_of(program, schedule, rank)) {
    held[static_cast<std::size_t>(change.event->cause)] += change.event->change;
    total += change.event->change;
    if (total <= memory.peak) continue;
    memory.peak = total;
    memory.peak_time = Seconds(std::max(change.time, 0.0));
    memory.at_peak = held;
    if (change.event->op != no_id)
      memory.peak_phase = program.phases[program.operations[change.event->op].phase];
  }
  return memory;
}

}  // namespace

std::vector<RankMemory> memory_by_rank(const Program& program, const Schedule& schedule) {
  std::vector<RankMemory> ranks;
  for (RankId rank = 0; rank < program.ranks.size(); ++rank)
    if (program.ranks[rank].is_device) ranks.push_back(peak_of(program, schedule, rank));
  return ranks;
}

double memory_imbalance(const std::vector<RankMemory>& ranks) {
  double sum = 0, count = 0, largest = 0;
  for (const RankMemory& rank : ranks) {
    sum += rank.peak.value() * rank.multiplicity;
    count += rank.multiplicity;
    largest = std::max(largest, rank.peak.value());
  }
  return sum > 0 ? largest * count / sum : 1;
}

}  // namespace paceline
