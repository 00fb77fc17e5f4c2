// What a launch costs the host, and the device.
#pragma once

#include "probe/cuda/device.h"
#include "probe/probe_run.h"

namespace paceline {

// "empty kernel": the host's time to launch one into a queue with room; "empty kernel, device": from one to
// the next on a full queue; "empty kernel and wait": launch, run, see it done; "event record": the host's
// time to record one.
void measure_device_launches(const ProbeRun& run, const CudaDevice& device, Profile& profile);

}  // namespace paceline
