// Small timelines with known places.
#pragma once

#include <memory>

#include "traces/timeline.h"

namespace paceline::gui {

// GPU 0 has a compute stream with a forward kernel [0, 400) and a backward kernel [400, 1000) and a
// communication stream with an all-reduce [600, 900); the host thread has a step [0, 1000) with a launch [0,
// 100) inside it that leads to the forward kernel. Times in microseconds; ids in this order.
[[nodiscard]] std::shared_ptr<const Timeline> sample_timeline();
enum SampleSlice : SliceId { forward_slice, backward_slice, all_reduce_slice, step_slice, launch_slice };

// One track of `count` kernels of 6 ns, one every 10 ns.
[[nodiscard]] std::shared_ptr<const Timeline> dense_timeline(std::uint32_t count);

}  // namespace paceline::gui
