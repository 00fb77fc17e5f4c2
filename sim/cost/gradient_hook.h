// What a communication hook of DistributedDataParallel makes of one bucket's all-reduce, in the steady state.
#pragma once

#include <optional>
#include <vector>

#include "sim/cost/step_request.h"
#include "sim/strategy/buckets.h"

namespace paceline {

// One of the all-reduces that stand for a bucket, and what follows it on the stream of communication.
struct HookPart {
  Bytes message;
  std::optional<Kernel> after;
};

struct HookWork {
  std::optional<Kernel> before;  // on the compute stream, when the bucket is complete
  std::vector<HookPart> parts;   // one after the other
  Bytes kept;                    // device memory that the hook holds between steps
  Bytes borrowed;                // and from `before` until the end of the last part
};

// One device sends nothing, but its hook runs. Throws InputError for a hook that the framework is not known
// to have, or that would not compress.
[[nodiscard]] HookWork hook_work(const StepRequest& request, const Bucket& bucket, double element_bytes);

// The matrix that PowerSGD sees in each parameter: its first dimension and all others. 0 x 0: a vector.
struct MatrixShape {
  double rows = 0, columns = 0;
  auto operator<=>(const MatrixShape&) const = default;
};
[[nodiscard]] std::vector<MatrixShape> matrix_shapes(const Model& model);

}  // namespace paceline
