// Horovod's tensor fusion: which gradients travel together, by when they are ready.
//
// A background thread looks, once a cycle, which tensors all ranks have handed over, packs them in that order
// into its fusion buffer, waits until the device has computed them and launches the all-reduce; the next
// cycle follows. (horovod/common/operations.cc, controller.cc: RunLoopOnce, FuseResponses, PerformOperation.)
#pragma once

#include <cstddef>
#include <vector>

#include "base/quantity.h"
#include "sim/model/model.h"
#include "sim/strategy/buckets.h"

namespace paceline {

struct GradientTime {
  std::size_t parameter = 0;  // index into Model::parameters
  Seconds handed_over;        // by the host thread that launches backward
  Seconds computed;           // by the device
};

struct FusionRules {
  Bytes threshold;  // a response never grows beyond it, but a larger tensor goes by itself
  Seconds cycle;
  double bytes_per_element = 4;
};

struct FusedResponse {
  Bucket bucket;
  // From the moment when its last tensor is handed over and the thread is free, to the cycle that takes it.
  Seconds wait;
};

// `gradients` in the order in which they are handed over. A tensor waits half a cycle on average when the
// thread is idle; the ranks' cycles run in step, since each ends with an exchange between all of them.
[[nodiscard]] std::vector<FusedResponse> fuse(const Model& model, const std::vector<GradientTime>& gradients,
                                              const FusionRules& rules);

}  // namespace paceline
