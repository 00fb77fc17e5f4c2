#include "sim/memory/megatron/allocator.h"

#include <algorithm>
#include <cmath>

namespace paceline::megatron {
namespace {

constexpr Bytes smallest_block(512), small_segment = mebibytes(2), middle_segment = mebibytes(20);
constexpr Bytes small_request = mebibytes(1), large_request = mebibytes(10), unsplit_rest = mebibytes(1);

Bytes rounded_up(Bytes size, Bytes unit) { return unit * std::ceil(size / unit); }

}  // namespace

Bytes block_size(Bytes request) { return std::max(smallest_block, rounded_up(request, smallest_block)); }

Bytes segment_size(Bytes block) {
  if (block <= small_request) return small_segment;
  if (block < large_request) return middle_segment;
  return rounded_up(block, small_segment);
}

Bytes allocated_in_own_segment(Bytes request) {
  const Bytes block = block_size(request), segment = segment_size(block);
  const bool split = block <= small_request || segment - block > unsplit_rest;
  return split ? block : segment;
}

}  // namespace paceline::megatron
