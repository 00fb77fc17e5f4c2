// Matrix products on the device through cuBLAS.
#pragma once

#include "probe/cuda/device.h"
#include "probe/probe_run.h"

namespace paceline {

// fp32, and where the device has them tf32, fp16, bf16; operands that fit stay in the second-level cache.
// Throws DeviceError if cuBLAS and a loop on the host disagree about a product.
void measure_device_gemms(const ProbeRun& run, const CudaDevice& device, Profile& profile);

}  // namespace paceline
