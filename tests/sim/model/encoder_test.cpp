// Work of encoders with decoders, of Transformer-XL and of GNMT, worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

// Encoder: 12 layers of 4 h^2 + 8 h^2 a token and 2 s^2 h; decoder: 4 h^2 more and 2 s^2 h for the second
// attention; the head's h V. BART large with s = 128.
TEST(EncoderDecoder, DoesTheWorkOfBothSides) {
  constexpr double s = 128, h = 1024, vocabulary = 50265;
  const double encoder = 12 * (12 * h * h * s + 2 * s * s * h);
  const double decoder = 12 * (16 * h * h * s + 4 * s * s * h);
  EXPECT_DOUBLE_EQ(source_model("bart-large").forward_multiply_adds(),
                   encoder + decoder + s * h * vocabulary);
}

TEST(EncoderDecoder, CrossesFromEveryBlockOfTheDecoder) {
  const Model model = source_model("t5-small");
  ASSERT_EQ(model.blocks.size(), 12U);
  EXPECT_EQ(model.blocks[5].attention.size(), 1U);
  EXPECT_FALSE(model.blocks[5].attention.front().causal);
  ASSERT_EQ(model.blocks[6].attention.size(), 2U);
  EXPECT_TRUE(model.blocks[6].attention.front().causal);
  EXPECT_FALSE(model.blocks[6].attention.back().causal);
}

// Zipf's law leaves all tokens a cluster: the head's rows and the tails' rows; 0.8 of the words are frequent.
TEST(TransformerXl, SharesTheTokensOutAmongItsClusters) {
  const Model model = source_model("transformer-xl-large");
  double tails = 0;
  for (const Layer& layer : model.layers)
    if (layer.name.starts_with("loss.tail")) tails += std::get<VocabularyLoss>(layer.work).rows;
  EXPECT_NEAR(tails / 384, 1 - (std::log(19997) + 0.5772) / (std::log(267735) + 0.5772), 1e-4);
}

// Keys and values of 192 remembered and 192 own positions: 3 h^2 and h^2 of 384 rows, h^2 and 8 h^2 of 192;
// two score products and one with the values of 192 x 384.
TEST(TransformerXl, AttendsToItsMemory) {
  constexpr double s = 192, keys = 384, h = 512;
  const Model model = source_model("transformer-xl-base");
  double block = 0;
  for (std::size_t index = model.blocks[3].first_layer; index < model.blocks[3].end_layer; ++index)
    block += multiply_adds(model.layers[index]);
  EXPECT_DOUBLE_EQ(block, 4 * h * h * keys + 9 * h * h * s + 3 * h * s * keys);
}

// LSTM cells do 4 h (inputs + h) a step; the encoder's first one in two directions, whose outputs are the
// second's inputs; the decoder's further ones read context and state; two products of the attention, the
// context, the classifier.
TEST(Gnmt, DoesTheWorkOfItsCells) {
  constexpr double s = 50, h = 1024, vocabulary = 32320;
  const double encoder = 2 * 4 * h * (2 * h) + 4 * h * (3 * h) + 2 * 4 * h * (2 * h);
  const double decoder = 4 * h * (2 * h) + 3 * 4 * h * (3 * h) + 2 * h * h;
  EXPECT_DOUBLE_EQ(source_model("gnmt-v2").forward_multiply_adds(),
                   s * (encoder + decoder + h * vocabulary) + s * s * h);
}

}  // namespace
}  // namespace paceline
