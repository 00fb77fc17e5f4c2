// DistributedDataParallel's buckets of nets whose buckets are known.
#include "sim/strategy/buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr Bytes first = mebibytes(1), cap = mebibytes(25);

// Bytes and number of tensors of each.
std::vector<std::pair<double, std::size_t>> sizes(const std::vector<Bucket>& buckets) {
  std::vector<std::pair<double, std::size_t>> list;
  for (const Bucket& bucket : buckets) list.emplace_back(bucket.bytes.value(), bucket.parameters.size());
  return list;
}

// fc closes the first bucket: 4 (2048 x 1000 + 1000) = 8,196,000 B >= 1 MiB.
TEST(DdpBuckets, OfResNet50) {
  const Model model = source_model("resnet50");
  EXPECT_THAT(sizes(gradient_buckets(model, false, first, cap)),
              ElementsAre(Pair(8196000, 2), Pair(31502336, 15), Pair(26255360, 12), Pair(26550272, 51),
                          Pair(9724160, 81)));
  EXPECT_THAT(sizes(first_iteration_buckets(model)), ElementsAre(Pair(102228128, 161)));
}

// In registration order and reversed: the small first bucket, conv1 and what follows it, is reduced last.
TEST(DdpBuckets, OfResNet50WithUnusedParametersLookedFor) {
  EXPECT_THAT(sizes(gradient_buckets(source_model("resnet50"), true, first, cap)),
              ElementsAre(Pair(12410784, 7), Pair(31502336, 15), Pair(29669376, 24), Pair(27022336, 78),
                          Pair(1623296, 37)));
}

// 768 (3072 + 1) 4 = 9,440,256 and the final norm's 6,144 make the first; a block has 12 tensors of
// 28,351,488 B; the last holds the tied embedding, 50257 x 768 x 4 = 154,389,504 B, and cannot be split.
TEST(DdpBuckets, OfGpt2) {
  const auto buckets = sizes(gradient_buckets(source_model("gpt2"), false, first, cap));
  ASSERT_EQ(buckets.size(), 13U);
  EXPECT_THAT(buckets.front(), Pair(9446400, 4));
  for (std::size_t block = 1; block < 12; ++block) EXPECT_THAT(buckets[block], Pair(28351488, 12));
  EXPECT_THAT(buckets.back(), Pair(176446464, 12));
}

// Message sizes seen with bucket_cap_mb 25 and 35: https://github.com/pytorch/pytorch/issues/48880
TEST(DdpBuckets, OfResNet18AsReported) {
  const Model model = source_model("resnet18");
  const auto messages = [&](double mib) {
    std::vector<double> bytes;
    for (const Bucket& bucket : gradient_buckets(model, false, first, mebibytes(mib)))
      bytes.push_back(bucket.bytes.value());
    return bytes;
  };
  EXPECT_THAT(messages(25), ElementsAre(2052000, 28852224, 15853824));
  EXPECT_THAT(messages(35), ElementsAre(2052000, 38297600, 6408448));
}

// 53 BatchNorm layers: 26,560 channels with mean and variance, 212,480 B, and 53 counters of 8 B.
TEST(BufferBroadcasts, OfResNet50) {
  const Model model = source_model("resnet50");
  EXPECT_THAT(buffer_broadcasts(model, mebibytes(250)), ElementsAre(Bytes(212480), Bytes(424)));
  EXPECT_THAT(buffer_broadcasts(model, Bytes(106240)), ElementsAre(Bytes(106240), Bytes(106240), Bytes(424)));
  EXPECT_THAT(buffer_broadcasts(model, Bytes(0)), ElementsAre(Bytes(212480), Bytes(424)));
  EXPECT_TRUE(buffer_broadcasts(source_model("vgg16"), mebibytes(250)).empty());
  EXPECT_TRUE(buffer_broadcasts(source_model("vgg16"), Bytes(0)).empty());
}

// 16-bit gradients: half the bytes, so the same cap holds twice the parameters.
TEST(DdpBuckets, OfHalfGradients) {
  const Model model = source_model("resnet50");
  Bytes sum;
  for (const Bucket& bucket : gradient_buckets(model, false, first, cap, 2)) sum += bucket.bytes;
  EXPECT_EQ(sum, Bytes(102228128 / 2));
  EXPECT_LT(gradient_buckets(model, false, first, cap, 2).size(),
            gradient_buckets(model, false, first, cap, 4).size());
}

// A convolution's input gradient and weight come last in a block; of a normalisation the weight is ready
// before the bias, of a linear layer the bias before the weight.
TEST(ReadyOrder, IsThatOfAutograd) {
  const Model model = source_model("resnet50");
  const auto order = gradient_ready_order(model);
  const auto place = [&](const std::string& name) {
    const auto parameter = std::find_if(model.parameters.begin(), model.parameters.end(),
                                        [&](const Parameter& each) { return each.name == name; });
    EXPECT_NE(parameter, model.parameters.end()) << name;
    return std::find(order.begin(), order.end(), parameter - model.parameters.begin()) - order.begin();
  };
  EXPECT_EQ(place("fc.bias"), 0);
  EXPECT_EQ(place("fc.weight"), 1);
  EXPECT_EQ(place("bn1.weight") + 1, place("bn1.bias"));
  EXPECT_EQ(place("conv1.weight"), 160);
}

TEST(ReadyOrder, HasEveryParameterOfEveryModelOnce) {
  const ModelCatalog catalog = source_catalog();
  for (const std::string& name : catalog.names()) {
    const Model model = catalog.build(name);
    auto order = gradient_ready_order(model);
    ASSERT_EQ(order.size(), model.parameters.size()) << name;
    std::sort(order.begin(), order.end());
    for (std::size_t index = 0; index < order.size(); ++index) ASSERT_EQ(order[index], index) << name;
  }
}

}  // namespace
}  // namespace paceline
