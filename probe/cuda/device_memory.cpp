#include "probe/cuda/device_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "probe/cuda/kernels.h"

namespace paceline {
namespace {

struct MemoryOperation {
  const char* name;
  std::size_t arrays;
  // `count` elements in each array, one array after the other.
  cudaError_t (*pass)(double2* memory, std::size_t count, double* sink, cudaStream_t stream);
};

constexpr MemoryOperation operations[] = {
    {"read", 1,
     [](double2* memory, std::size_t count, double* sink, cudaStream_t stream) {
       return launch_read(memory, count, sink, stream);
     }},
    {"write", 1,
     [](double2* memory, std::size_t count, double*, cudaStream_t stream) {
       return launch_write(memory, count, stream);
     }},
    {"copy", 2,
     [](double2* memory, std::size_t count, double*, cudaStream_t stream) {
       return launch_copy(memory, memory + count, count, stream);
     }},
    {"triad", 3,
     [](double2* memory, std::size_t count, double*, cudaStream_t stream) {
       return launch_triad(memory, memory + count, memory + 2 * count, count, stream);
     }},
};

std::vector<Bytes> memory_sizes(const ProbeRun& run, const CudaDevice& device) {
  const Bytes enough = std::max(4 * device.second_level_cache(), gibibytes(1));
  const Bytes largest = std::min({enough, run.request.memory_limit, device.free_memory() / 2});
  std::vector<Bytes> sizes;
  for (Bytes size = mebibytes(1); size < largest / 1.5; size *= run.request.quick ? 8 : 4)
    sizes.push_back(size);
  sizes.push_back(largest);
  return sizes;
}

std::vector<Bytes> copy_sizes(const ProbeRun& run) {
  std::vector<Bytes> sizes;
  for (Bytes size = kibibytes(4); size <= mebibytes(256); size *= run.request.quick ? 16 : 4)
    sizes.push_back(size);
  return sizes;
}

struct Copy {
  const char* direction;
  bool pinned;
  void* to;
  const void* from;
  cudaMemcpyKind kind;
};

// A pageable copy is staged by the host, part of it before the call returns, so the host's clock must time
// it.
TimedRun timed_copy(const ProbeRun& run, const CudaDevice& device, Copy copy, std::size_t bytes) {
  if (copy.pinned || copy.kind == cudaMemcpyDeviceToDevice) {
    return device.timed([=](cudaStream_t stream) {
      check(cudaMemcpyAsync(copy.to, copy.from, bytes, copy.kind, stream), "cudaMemcpyAsync");
    });
  }
  return timed_by(run.clock, [=](int repetitions) {
    for (int repetition = 0; repetition < repetitions; ++repetition)
      check(cudaMemcpy(copy.to, copy.from, bytes, copy.kind), "cudaMemcpy");
  });
}

}  // namespace

void measure_device_memory(const ProbeRun& run, const CudaDevice& device, Profile& profile) {
  const auto sizes = memory_sizes(run, device);
  const auto most_bytes = static_cast<std::size_t>(sizes.back().value());
  const DeviceBuffer buffer = device_buffer(most_bytes);
  const DeviceBuffer sink = device_buffer(sizeof(double));
  check(cudaMemset(buffer.get(), 0, most_bytes), "cudaMemset");
  auto* memory = static_cast<double2*>(buffer.get());
  for (const MemoryOperation& operation : operations) {
    for (const Bytes size : sizes) {
      const std::size_t count = static_cast<std::size_t>(size.value()) / sizeof(double2) / operation.arrays;
      const Bytes bytes(static_cast<double>(count * operation.arrays * sizeof(double2)));
      const TimedRun passes = device.timed([&](cudaStream_t stream) {
        check(operation.pass(memory, count, static_cast<double*>(sink.get()), stream), operation.name);
      });
      const std::string what = fmt::format("memory {} {}", operation.name, to_binary_string(bytes));
      profile.memory.push_back({operation.name, bytes, run.measured(what, passes)});
    }
  }
}

void measure_device_copies(const ProbeRun& run, const CudaDevice& device, Profile& profile) {
  const auto sizes = copy_sizes(run);
  const auto most_bytes = static_cast<std::size_t>(sizes.back().value());
  const DeviceBuffer on_device = device_buffer(most_bytes);
  const DeviceBuffer elsewhere_on_device = device_buffer(most_bytes);
  const PinnedBuffer pinned = pinned_buffer(most_bytes);
  std::vector<char> pageable(most_bytes, 1);
  const Copy copies[] = {
      {"host_to_device", true, on_device.get(), pinned.get(), cudaMemcpyHostToDevice},
      {"device_to_host", true, pinned.get(), on_device.get(), cudaMemcpyDeviceToHost},
      {"host_to_device", false, on_device.get(), pageable.data(), cudaMemcpyHostToDevice},
      {"device_to_host", false, pageable.data(), on_device.get(), cudaMemcpyDeviceToHost},
      {"device_to_device", false, elsewhere_on_device.get(), on_device.get(), cudaMemcpyDeviceToDevice},
  };
  for (const Copy& copy : copies) {
    for (const Bytes size : sizes) {
      const std::string what =
          fmt::format("copy {}{} {}", copy.direction, copy.pinned ? " pinned" : "", to_binary_string(size));
      const TimedRun timed = timed_copy(run, device, copy, static_cast<std::size_t>(size.value()));
      profile.copies.push_back({copy.direction, copy.pinned, size, run.measured(what, timed)});
    }
  }
}

}  // namespace paceline
