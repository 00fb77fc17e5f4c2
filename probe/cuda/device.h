// The device that is measured: what it is, its stream, and how work on it is timed.
#pragma once

#include <functional>
#include <string>

#include "base/quantity.h"
#include "probe/cuda/resources.h"
#include "probe/measure.h"

namespace paceline {

// The first visible device. Throws DeviceError if there is none.
class CudaDevice {
 public:
  CudaDevice();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_tf32_and_bf16() const { return major_ >= 8; }
  [[nodiscard]] Bytes second_level_cache() const { return second_level_cache_; }
  [[nodiscard]] Bytes free_memory() const;
  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  // "compute capability 9.0, 132 SMs, ..." and driver and run-time versions.
  [[nodiscard]] std::vector<std::string> description() const;

  // A TimedRun on the stream, read from events around the repetitions. The stream is held back until the host
  // has queued them, so that short kernels are not timed at the pace of the host's launches.
  [[nodiscard]] TimedRun timed(std::function<void(cudaStream_t stream)> launch) const;
  // The clock the SMs run at now, in MHz.
  [[nodiscard]] double sm_megahertz() const;
  [[nodiscard]] double most_sm_megahertz() const { return most_kilohertz_ / 1e3; }
  void wait() const;

 private:
  [[nodiscard]] int attribute(cudaDeviceAttr which) const;
  [[nodiscard]] Seconds elapsed() const;

  int index_ = 0;
  std::string name_;
  int major_ = 0;
  double most_kilohertz_ = 0;
  Bytes second_level_cache_;
  Stream stream_;
  Event start_;
  Event stop_;
};

}  // namespace paceline
