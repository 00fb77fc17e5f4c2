// Memory bandwidth of all CPUs together, and copies by one.
#pragma once

#include <vector>

#include "probe/cpu/machine.h"
#include "probe/probe_run.h"

namespace paceline {

// Working sets from well inside the first cache to four times the last one, or to what may be used.
std::vector<Bytes> memory_sizes(const Machine& machine, bool quick, Bytes limit);

// read, write, copy and triad; a pass counts the bytes that the program reads and writes, as STREAM does.
void measure_memory(const ProbeRun& run, const Machine& machine, Profile& profile);

// memcpy between two buffers, as a framework copies a tensor on the host.
void measure_host_copies(const ProbeRun& run, Profile& profile);

}  // namespace paceline
