// Sizes that PyTorch's caching allocator makes of a request (c10/cuda/CUDACachingAllocator.cpp).
#pragma once

#include "base/quantity.h"

namespace paceline::megatron {

// A request rounded up to 512 bytes, the smallest block.
[[nodiscard]] Bytes block_size(Bytes request);

// What is reserved from the driver for a block when no cached one fits: 2 MiB up to 1 MiB, 20 MiB below
// 10 MiB, from there a multiple of 2 MiB.
[[nodiscard]] Bytes segment_size(Bytes block);

// What a request counts as allocated when it gets a segment of its own: a rest of at most 1 MiB of a large
// segment is not split off.
[[nodiscard]] Bytes allocated_in_own_segment(Bytes request);

}  // namespace paceline::megatron
