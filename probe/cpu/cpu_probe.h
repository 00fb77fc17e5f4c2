// The CPU back end: measures this machine without any accelerator.
#pragma once

#include "probe/probe_run.h"

namespace paceline {

Profile probe_cpu(const ProbeRun& run);

}  // namespace paceline
