// nn.DataParallel's chunks, as PyTorch 1.13's own functions made them, and its split of the batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/strategy/buckets.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

using ::testing::ElementsAre;

std::vector<double> bytes_of(const std::vector<Bucket>& chunks) {
  std::vector<double> bytes;
  for (const Bucket& chunk : chunks) bytes.push_back(chunk.bytes.value());
  return bytes;
}

// A chunk is closed when it has reached 10,485,760 B.
TEST(DataParallelChunks, TheBroadcastClosesAChunkAboveTheLimit) {
  EXPECT_THAT(
      bytes_of(broadcast_chunks(source_model("resnet50"))),
      ElementsAre(11821312, 12355584, 12093440, 13639680, 12615680, 13639680, 13651968, 12406784, 4000));
}

// A chunk is closed before it would exceed 10,485,760 B.
TEST(DataParallelChunks, TheReductionClosesAChunkBelowTheLimit) {
  EXPECT_THAT(bytes_of(reduce_chunks(source_model("resnet50"))),
              ElementsAre(9724160, 9986048, 9994240, 6569984, 9441280, 4210688, 8404992, 4198400, 9441280,
                          8409088, 9441280, 4210688, 8196000));
}

// tensor.chunk(n): parts of ceil(B / n).
TEST(ScatterBatch, MayUseFewerDevicesThanThereAre) {
  EXPECT_THAT(scatter_batch(10, 4), ElementsAre(3, 3, 3, 1));
  EXPECT_THAT(scatter_batch(5, 4), ElementsAre(2, 2, 1));
  EXPECT_THAT(scatter_batch(8, 4), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(scatter_batch(1, 8), ElementsAre(1));
}

}  // namespace
}  // namespace paceline
