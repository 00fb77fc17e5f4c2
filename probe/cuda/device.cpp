#include "probe/cuda/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "probe/cuda/kernels.h"

namespace paceline {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

CudaDevice::CudaDevice() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices == 0) check(cudaErrorNoDevice, "cudaGetDeviceCount");
  check(cudaSetDevice(index_), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index_), "cudaGetDeviceProperties");
  name_ = properties.name;
  major_ = properties.major;
  second_level_cache_ = Bytes(properties.l2CacheSize);
  most_kilohertz_ = attribute(cudaDevAttrClockRate);
  stream_ = new_stream();
  start_ = new_event();
  stop_ = new_event();
}

int CudaDevice::attribute(cudaDeviceAttr which) const {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, index_), "cudaDeviceGetAttribute");
  return value;
}

Bytes CudaDevice::free_memory() const {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return Bytes(static_cast<double>(free));
}

std::vector<std::string> CudaDevice::description() const {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  return {
      fmt::format("compute capability {}.{}, {} SMs, {} memory, second-level cache {}", major_,
                  attribute(cudaDevAttrComputeCapabilityMinor), attribute(cudaDevAttrMultiProcessorCount),
                  to_binary_string(Bytes(static_cast<double>(total))), to_binary_string(second_level_cache_)),
      fmt::format("driver for CUDA {}, run-time library {}", version_text(driver), version_text(runtime))};
}

TimedRun CudaDevice::timed(std::function<void(cudaStream_t stream)> launch) const {
  return [this, launch = std::move(launch)](int repetitions) {
    // 10 us covers a launch with room to spare; the cap keeps long batches, which need no holding back,
    // short.
    const Seconds hold = std::min(microseconds(20.0 + 10.0 * repetitions), milliseconds(5));
    check(launch_spin(static_cast<long long>(hold.value() * most_kilohertz_ * 1e3), stream()), "spin kernel");
    check(cudaEventRecord(start_.get(), stream()), "cudaEventRecord");
    for (int repetition = 0; repetition < repetitions; ++repetition) launch(stream());
    check(cudaEventRecord(stop_.get(), stream()), "cudaEventRecord");
    return elapsed();
  };
}

Seconds CudaDevice::elapsed() const {
  check(cudaEventSynchronize(stop_.get()), "cudaEventSynchronize");
  float elapsed_milliseconds = 0;
  check(cudaEventElapsedTime(&elapsed_milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
  return milliseconds(static_cast<double>(elapsed_milliseconds));
}

double CudaDevice::sm_megahertz() const {
  const long long cycles = static_cast<long long>(most_kilohertz_);  // about a millisecond
  check(cudaEventRecord(start_.get(), stream()), "cudaEventRecord");
  check(launch_spin(cycles, stream()), "spin kernel");
  check(cudaEventRecord(stop_.get(), stream()), "cudaEventRecord");
  return static_cast<double>(cycles) / elapsed().value() / 1e6;
}

void CudaDevice::wait() const { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }

}  // namespace paceline
