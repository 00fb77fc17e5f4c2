// The cost of handing a call to another thread.
#pragma once

#include "probe/probe_run.h"

namespace paceline {

// "thread hand-over": submit an empty job to an idle worker and see it done.
// "thread hand-over, queued": the share of one job when 64 are submitted before waiting.
void measure_hand_over(const ProbeRun& run, Profile& profile);

}  // namespace paceline
