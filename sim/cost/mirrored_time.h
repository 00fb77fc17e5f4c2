// What an all-reduce by the framework itself, after backward, is made of: packs of gradients, the copies
// around them, and the framework's own work in between.
#pragma once

#include <vector>

#include "sim/cost/step_request.h"
#include "sim/strategy/buckets.h"

namespace paceline {

struct MirroredPlan {
  std::vector<Bucket> packs;  // in ready order
  Seconds coordination;       // between backward and the first pack
  double network_share = 1;   // of the rate of an all-reduce between nodes
};
// Throws InputError when nothing is known of such a mode of the request's framework.
[[nodiscard]] MirroredPlan mirrored_plan(const StepRequest& request);

// Concatenating a pack, or splitting it again: nothing for one tensor.
[[nodiscard]] Seconds pack_copy_time(const StepRequest& request, const Bucket& pack);
[[nodiscard]] CollectiveTime pack_all_reduce(const StepRequest& request, const MirroredPlan& plan,
                                             const Bucket& pack);

}  // namespace paceline
