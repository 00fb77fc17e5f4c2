#include "probe/cpu/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include "probe/cpu/stream_kernels.h"
#include "probe/cpu/worker_thread.h"

namespace paceline {
namespace {

constexpr double cache_multiples = 4;
// Keeps the arrays of one pass from starting at the same offset in a page, where a load waits for an older
// store to the same low address bits.
constexpr std::size_t padding = 264;

struct StreamOperation {
  const char* name;
  std::size_t arrays;
  void (*pass)(double* memory, std::size_t stride, std::size_t count, std::atomic<std::uint64_t>& sink);
};

constexpr StreamOperation operations[] = {
    {"read", 1,
     [](double* memory, std::size_t, std::size_t count, std::atomic<std::uint64_t>& sink) {
       sink.fetch_add(stream_read(memory, count), std::memory_order_relaxed);
     }},
    {"write", 1,
     [](double* memory, std::size_t, std::size_t count, std::atomic<std::uint64_t>&) {
       stream_write(memory, count, 1.5);
     }},
    {"copy", 2,
     [](double* memory, std::size_t stride, std::size_t count, std::atomic<std::uint64_t>&) {
       stream_copy(memory, memory + stride, count);
     }},
    {"triad", 3,
     [](double* memory, std::size_t stride, std::size_t count, std::atomic<std::uint64_t>&) {
       stream_triad(memory, memory + stride, memory + 2 * stride, 0.5, count);
     }},
};

// Each worker's own share, touched first by that worker so that its pages lie near it.
class Shares {
 public:
  Shares(WorkerTeam& team, Bytes largest)
      : each_(static_cast<std::size_t>(largest.value()) / sizeof(double) /
                  static_cast<std::size_t>(team.size()) +
              3 * padding),
        shares_(static_cast<std::size_t>(team.size())) {
    team.run([this](int worker) {
      auto& share = shares_[static_cast<std::size_t>(worker)];
      share.reset(static_cast<double*>(::operator new(each_ * sizeof(double), alignment)));
      std::fill_n(share.get(), each_, 1.0);
    });
  }
  [[nodiscard]] double* of(int worker) { return shares_[static_cast<std::size_t>(worker)].get(); }

 private:
  static constexpr std::align_val_t alignment{64};  // a cache line: no vector crosses two
  struct Free {
    void operator()(double* share) const { ::operator delete(share, alignment); }
  };

  std::size_t each_;
  std::vector<std::unique_ptr<double, Free>> shares_;
};

MeasuredMemory measure_size(const ProbeRun& run, const StreamOperation& operation, Bytes working_set,
                            WorkerTeam& team, Shares& shares) {
  const auto workers = static_cast<std::size_t>(team.size());
  const auto words = static_cast<std::size_t>(working_set.value()) / sizeof(double);
  constexpr std::size_t line = 8;  // words; whole cache lines keep every array aligned
  const std::size_t count = std::max(words / workers / operation.arrays / line, std::size_t{1}) * line;
  const Bytes bytes(static_cast<double>(count * operation.arrays * workers * sizeof(double)));
  std::atomic<std::uint64_t> sink = 0;
  const auto passes = [&](int repetitions) {
    team.run([&](int worker) {
      for (int repetition = 0; repetition < repetitions; ++repetition)
        operation.pass(shares.of(worker), count + padding, count, sink);
    });
  };
  const std::string what = fmt::format("memory {} {}", operation.name, to_binary_string(bytes));
  return {operation.name, bytes, run.measured(what, timed_by(run.clock, passes))};
}

}  // namespace

std::vector<Bytes> memory_sizes(const Machine& machine, bool quick, Bytes limit) {
  const Bytes largest =
      std::min({cache_multiples * machine.last_level_cache, limit, machine.available_memory / 2});
  std::vector<Bytes> sizes;
  for (Bytes size = machine.cpus * kibibytes(24); size < largest / 1.5; size *= quick ? 8 : 4)
    sizes.push_back(size);
  sizes.push_back(largest);
  return sizes;
}

void measure_memory(const ProbeRun& run, const Machine& machine, Profile& profile) {
  ProbeRun longer = run;
  // Handing a pass to the workers costs some 20 us; over 2 ms of passes that is 1 %.
  longer.request.effort.least_sample = std::max(run.request.effort.least_sample, milliseconds(2));
  const auto sizes = memory_sizes(machine, run.request.quick, run.request.memory_limit);
  WorkerTeam team(machine.cpus);
  Shares shares(team, sizes.back());
  for (const StreamOperation& operation : operations) {
    for (const Bytes size : sizes)
      profile.memory.push_back(measure_size(longer, operation, size, team, shares));
  }
  if (sizes.back() < cache_multiples * machine.last_level_cache) {
    profile.notes.push_back(fmt::format(
        "memory: the largest working set, {}, is less than {} times the last-level cache of {}: its "
        "bandwidth may "
        "still be that of the cache",
        to_binary_string(sizes.back()), cache_multiples, to_binary_string(machine.last_level_cache)));
  }
}

void measure_host_copies(const ProbeRun& run, Profile& profile) {
  const std::vector<Bytes> few{kibibytes(64), mebibytes(1), mebibytes(16)};
  const std::vector<Bytes> many{kibibytes(4),  kibibytes(64), mebibytes(1),
                                mebibytes(16), mebibytes(64), mebibytes(256)};
  for (const Bytes size : run.request.quick ? few : many) {
    if (size > run.request.memory_limit / 2) continue;
    const auto bytes = static_cast<std::size_t>(size.value());
    const std::vector<char> from(bytes, 1);
    std::vector<char> to(bytes, 0);
    const auto copies = [&](int repetitions) {
      for (int repetition = 0; repetition < repetitions; ++repetition) {
        std::memcpy(to.data(), from.data(), bytes);
        asm volatile("" : : "r"(to.data()) : "memory");  // the copy may be read: it must happen
      }
    };
    const std::string what = fmt::format("copy host to host {}", to_binary_string(size));
    profile.copies.push_back({"host_to_host", false, size, run.measured(what, timed_by(run.clock, copies))});
  }
}

}  // namespace paceline
