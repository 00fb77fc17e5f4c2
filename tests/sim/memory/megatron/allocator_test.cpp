#include "sim/memory/megatron/allocator.h"

#include <gtest/gtest.h>

namespace paceline::megatron {
namespace {

struct Sizes {
  double request, block, segment;
};

// Rounded to 512 bytes; segments of 2 MiB up to 1 MiB, 20 MiB below 10 MiB, else multiples of 2 MiB.
TEST(CachingAllocator, RoundsRequestsAndSegments) {
  for (const Sizes& each :
       {Sizes{1, 512, 2097152}, Sizes{513, 1024, 2097152}, Sizes{1048576, 1048576, 2097152},
        Sizes{1048577, 1049088, 20971520}, Sizes{10485759, 10485760, 10485760},
        Sizes{25000000, 25000448, 25165824}, Sizes{102228128, 102228480, 102760448}}) {
    EXPECT_EQ(block_size(Bytes(each.request)).value(), each.block) << each.request;
    EXPECT_EQ(segment_size(Bytes(each.block)).value(), each.segment) << each.request;
  }
}

// 251 MiB in a segment of 252 MiB: a rest of 1 MiB is not split off. 22.5 MiB in 24 MiB: a rest of 1.5 MiB
// is.
TEST(CachingAllocator, CountsAnUnsplitRest) {
  EXPECT_EQ(allocated_in_own_segment(mebibytes(251)), mebibytes(252));
  EXPECT_EQ(allocated_in_own_segment(mebibytes(22.5)), mebibytes(22.5));
  EXPECT_EQ(allocated_in_own_segment(Bytes(1)), Bytes(512));
}

}  // namespace
}  // namespace paceline::megatron
