// Collectives between processes of this machine.
#pragma once

#include <vector>

#include "probe/cpu/machine.h"
#include "probe/probe_run.h"

namespace paceline {

// Numbers of ranks to measure: the one asked for, or 2, 4, 8 ... up to the number of CPUs.
std::vector<int> ring_sizes(const ProbeRequest& request, const Machine& machine);

// Ring all-reduce of 4 KiB to 16 MiB, the result checked before each size is timed. The size is that of the
// buffer of one rank, as nccl-tests counts it. Throws DeviceError if a sum is wrong.
void measure_collectives(const ProbeRun& run, const Machine& machine, Profile& profile);

}  // namespace paceline
