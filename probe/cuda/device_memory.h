// Bandwidth of device memory, and copies between host and device.
#pragma once

#include "probe/cuda/device.h"
#include "probe/probe_run.h"

namespace paceline {

// read, write, copy and triad by our own kernels, from the second-level cache to several times its size.
void measure_device_memory(const ProbeRun& run, const CudaDevice& device, Profile& profile);

// Host to device and back, pageable and pinned; device to device.
void measure_device_copies(const ProbeRun& run, const CudaDevice& device, Profile& profile);

}  // namespace paceline
