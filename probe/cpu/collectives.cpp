#include "probe/cpu/collectives.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "probe/cpu/ring_processes.h"

namespace paceline {
namespace {

constexpr std::size_t smallest = std::size_t{4} << 10;
constexpr std::size_t largest = std::size_t{16} << 20;

MeasuredCollective measure_all_reduce(const ProbeRun& run, RingProcesses& ring, int ranks,
                                      std::size_t bytes) {
  const std::size_t floats = bytes / sizeof(float);
  const Bytes size(static_cast<double>(bytes));
  const std::size_t wrong = ring.count_wrong(floats);
  if (wrong > 0) {
    throw DeviceError("ring all-reduce", fmt::format("{} of {} sums are wrong", wrong, floats),
                      "check the memory of this machine");
  }
  const auto all_reduces = [&](int repetitions) { return ring.time(floats, repetitions); };
  const std::string what = fmt::format("all-reduce {} over {} ranks", to_binary_string(size), ranks);
  return {"all_reduce", "shared memory ring", ranks, 1, size, run.measured(what, all_reduces)};
}

void measure_ring(const ProbeRun& run, int ranks, Profile& profile) {
  RingProcesses ring(ranks, largest / sizeof(float));
  const std::size_t factor = run.request.quick ? 8 : 2;
  for (std::size_t bytes = smallest; bytes < largest; bytes *= factor)
    profile.collectives.push_back(measure_all_reduce(run, ring, ranks, bytes));
  profile.collectives.push_back(measure_all_reduce(run, ring, ranks, largest));
}

}  // namespace

std::vector<int> ring_sizes(const ProbeRequest& request, const Machine& machine) {
  if (request.ranks) return {*request.ranks};
  std::vector<int> sizes{2};
  for (int ranks = 4; ranks <= std::min(machine.cpus, 64); ranks *= 2) sizes.push_back(ranks);
  if (request.quick) return {sizes.back()};
  return sizes;
}

void measure_collectives(const ProbeRun& run, const Machine& machine, Profile& profile) {
  for (const int ranks : ring_sizes(run.request, machine)) {
    if (ranks > machine.cpus) {
      profile.notes.push_back(
          fmt::format("collectives: {} ranks shared {} CPUs, so their times include waiting for a CPU", ranks,
                      machine.cpus));
    }
    measure_ring(run, ranks, profile);
  }
}

}  // namespace paceline
