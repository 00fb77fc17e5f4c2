#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/error.h"
#include "sim/model/activation_memory.h"
#include "sim/model/builders.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

struct Expected {
  const char* name;
  std::int64_t parameters;
  std::size_t tensors;
  const char* first;
  const char* last;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

class TransformerParameters : public ::testing::TestWithParam<Expected> {};

TEST_P(TransformerParameters, AgreeWithTheFramework) {
  const Expected& expected = GetParam();
  const Model model = source_model(expected.name);
  EXPECT_EQ(model.parameter_count(), expected.parameters);
  EXPECT_EQ(model.parameters.size(), expected.tensors);
  EXPECT_EQ(model.parameters.front().name, expected.first);
  EXPECT_EQ(model.parameters.back().name, expected.last);
}

constexpr const char* bert_first = "bert.embeddings.word_embeddings.weight";
constexpr const char* bert_last = "cls.seq_relationship.bias";
constexpr const char* gpt2_first = "transformer.wte.weight";
constexpr const char* llama_first = "model.embed_tokens.weight";
constexpr const char* llama_last = "lm_head.weight";
constexpr const char* gpt2_last = "transformer.ln_f.bias";

INSTANTIATE_TEST_SUITE_P(Nets, TransformerParameters,
                         ::testing::Values(Expected{"bert-base", 110106428, 206, bert_first, bert_last},
                                           Expected{"bert-large", 336226108, 398, bert_first, bert_last},
                                           Expected{"gpt2-small", 124439808, 148, gpt2_first, gpt2_last},
                                           Expected{"gpt2-medium", 354823168, 292, gpt2_first, gpt2_last},
                                           Expected{"gpt2-large", 774030080, 436, gpt2_first, gpt2_last},
                                           Expected{"gpt2-xl", 1557611200, 580, gpt2_first, gpt2_last},
                                           Expected{"llama3-8b", 8030261248, 291, llama_first, llama_last},
                                           Expected{"llama3-70b", 70553706496, 723, llama_first, llama_last},
                                           Expected{"llama2-7b", 6738415616, 291, llama_first, llama_last}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

double sum_where(const Model& model, const std::string& prefix, double (*figure)(const Layer&)) {
  double sum = 0;
  for (const Layer& layer : model.layers)
    if (layer.name.starts_with(prefix)) sum += figure(layer);
  return sum;
}
double half_precision_bytes(const Layer& layer) { return 2 * layer.saved_elements + layer.saved_bytes; }
double forward_traffic(const Layer& layer) {
  const auto* traffic = std::get_if<Traffic>(&layer.work);
  return traffic ? traffic->forward_elements : 0;
}
double backward_traffic(const Layer& layer) {
  const auto* traffic = std::get_if<Traffic>(&layer.work);
  return traffic ? traffic->backward_elements : 0;
}

// s h (34 + 5 a s / h) bytes a layer in 16 bit with dropout (Korthikanti et al. 2022).
TEST(BertLarge, ALayerKeepsWhatTheFormulaSays) {
  constexpr double s = 512, h = 1024, a = 16;
  const Model model = source_model("bert-large", {.sequence = 512});
  EXPECT_EQ(sum_where(model, "bert.encoder.layer.3.", &half_precision_bytes), s * h * (34 + 5 * a * s / h));
  EXPECT_EQ(sum_where(model, "bert.encoder.layer.", &half_precision_bytes),
            24 * s * h * (34 + 5 * a * s / h));
}

TEST(Gpt2Small, ALayerKeepsWhatTheFormulaSays) {
  constexpr double s = 1024, h = 768, a = 12;
  const Model model = source_model("gpt2");
  EXPECT_EQ(sum_where(model, "transformer.h.11.", &half_precision_bytes), s * h * (34 + 5 * a * s / h));
}

// The same layers with other kernels: a fused one keeps 4 bytes a head and token instead of 5 a s^2,
// selective recomputation neither; with whole blocks recomputed 2 s h a layer and one layer.
TEST(Gpt2Small, KeepsLessWithFusedAttentionAndLessStillWithRecomputation) {
  constexpr double s = 1024, h = 768, a = 12, layers = 12;
  const Model model = source_model("gpt2");
  const Bytes half(2);
  const double eager = saved_per_sample(model, half, KeptAttention::eager).value();
  EXPECT_EQ(eager, saved_per_sample(model, half).value());
  const double outside = eager - layers * (34 * s * h + 5 * a * s * s);
  EXPECT_GT(outside, 0);
  EXPECT_EQ(saved_per_sample(model, half, KeptAttention::fused).value(),
            outside + layers * (34 * s * h + 4 * a * s));
  EXPECT_EQ(saved_per_sample(model, half, KeptAttention::recomputed).value(), outside + layers * 34 * s * h);
  EXPECT_EQ(saved_with_blocks_recomputed(model, half, KeptAttention::fused).value(),
            outside + layers * 2 * s * h + 34 * s * h + 4 * a * s);
}

// Without dropout the probabilities stand once and have no mask: 2 a s^2 bytes a layer.
TEST(Llama, WouldKeepItsProbabilitiesWithoutAFusedKernel) {
  constexpr double s = 512, a = 32, layers = 32;
  const Model model = source_model("llama3-8b", {.sequence = 512});
  const Bytes half(2);
  EXPECT_EQ(saved_per_sample(model, half, KeptAttention::eager).value() -
                saved_per_sample(model, half, KeptAttention::fused).value(),
            layers * (2 * a * s * s - 4 * a * s));
}

// 8 h + 8 + 4 (a + g) D + 6 f + 4 a bytes a token with a fused attention, norm and SwiGLU.
TEST(Llama, ALayerKeepsWhatTheFusedKernelsKeep) {
  EXPECT_EQ(sum_where(source_model("llama3-8b"), "model.layers.7.", &half_precision_bytes), 1141964800);
  EXPECT_EQ(sum_where(source_model("llama3-70b"), "model.layers.79.", &half_precision_bytes),
            8192 * 274696.0);
}

TEST(Llama, TheLossKeepsItsLogSoftmaxInFp32) {
  const Model model = source_model("llama3-8b");
  EXPECT_EQ(model.layers.back().saved_bytes, 4202692608 + 8 * 8192.0);
}

TEST(BertBase, ALayerMovesWhatTheTableSays) {
  constexpr double s = 128, h = 768, a = 12, f = 3072;
  const Model model = source_model("bert-base");
  EXPECT_EQ(sum_where(model, "bert.embeddings", &forward_traffic), 8 * s * h);
  EXPECT_EQ(sum_where(model, "bert.embeddings", &backward_traffic), 8 * s * h);
  EXPECT_EQ(sum_where(model, "bert.encoder.layer.0.", &forward_traffic),
            8 * s * h + 8.25 * a * s * s + 2 * 9.25 * s * h + 4 * s * f);
  EXPECT_EQ(sum_where(model, "bert.encoder.layer.0.", &backward_traffic),
            8 * s * h + 7.25 * a * s * s + 2 * 12.5 * s * h + 4 * s * f);
}

TEST(Gpt2, MovesAsMuchAsAnEncoderOfItsSize) {
  constexpr double s = 1024, h = 768, a = 12, f = 3072;
  const Model model = source_model("gpt2-small");
  EXPECT_EQ(sum_where(model, "transformer.", &forward_traffic),
            8 * s * h + 12 * (8 * s * h + 8.25 * a * s * s + 2 * 9.25 * s * h + 4 * s * f));
  EXPECT_EQ(sum_where(model, "transformer.", &backward_traffic),
            8 * s * h + 12 * (8 * s * h + 7.25 * a * s * s + 2 * 12.5 * s * h + 4 * s * f));
}

TEST(Bert, TheVocabularyHeadSeesMaskedPositionsOnly) {
  for (const auto& [sequence, masked] : {std::pair<std::int64_t, double>{128, 20}, {512, 80}}) {
    const Model model = source_model("bert-base", {.sequence = sequence});
    EXPECT_EQ(std::get<VocabularyLoss>(model.layers.back().work).rows, masked);
    EXPECT_EQ(model.output_elements, masked * 30522 + 2);
  }
  const Model model = source_model("bert-base", {.masked_positions = 19});
  EXPECT_EQ(std::get<VocabularyLoss>(model.layers.back().work).rows, 19);
}

TEST(Bert, AVocabularyOfAMultipleOf8AddsRowsAndBiases) {
  const Model model = source_model("bert-base", {.vocabulary = 30528});
  EXPECT_EQ(model.parameter_count(), 110106428 + 6 * 768 + 6);
}

TEST(Gpt2Small, TheTiedEmbeddingIsReadyLast) {
  const Model model = source_model("gpt2-small");
  ASSERT_FALSE(model.layers.front().parameters.empty());
  EXPECT_EQ(model.layers.front().parameters.front(), 0U);
  EXPECT_EQ(model.parameters.front().elements, 50257 * 768);
  EXPECT_EQ(model.output_elements, 1024.0 * 50257);
  EXPECT_EQ(model.input_bytes, 8 * 1024);
  EXPECT_EQ(model.modules, 164);
}

TEST(Gpt2Small, FillsTheBucketsThatTheFrameworkReports) {
  std::vector<std::pair<std::size_t, std::int64_t>> runs{{4, 9446400}};
  runs.insert(runs.end(), 11, {12, 28351488});
  runs.emplace_back(12, 176446464);  // holds the embedding
  expect_runs(source_model("gpt2-small"), runs);
}

TEST(Transformers, ASequenceBeyondThePositionsIsRefused) {
  EXPECT_THROW((void)source_model("gpt2", {.sequence = 1025}), InputError);
  EXPECT_THROW((void)source_model("bert-large", {.sequence = 513}), InputError);
  EXPECT_NO_THROW((void)source_model("bert-large", {.sequence = 512}));
}

TEST(Transformers, InputsThatAModelLacksAreRefused) {
  EXPECT_THROW((void)source_model("gpt2", {.image = 224}), InputError);
  EXPECT_THROW((void)source_model("gpt2", {.masked_positions = 20}), InputError);
  EXPECT_THROW((void)source_model("resnet50", {.sequence = 128}), InputError);
  EXPECT_THROW((void)source_model("resnet50", {.vocabulary = 1000}), InputError);
  EXPECT_THROW((void)source_model("mlp", {.image = 224}), InputError);
  EXPECT_THROW((void)source_model("bert-base", {.masked_positions = 129}), InputError);
  EXPECT_THROW((void)source_model("bert-base", {.masked_positions = -1}), InputError);
}

template <class Work>
double multiply_adds_in(const Model& model) {
  double sum = 0;
  for (const Layer& layer : model.layers)
    if (std::holds_alternative<Work>(layer.work)) sum += multiply_adds(layer);
  return sum;
}

TEST(TransformerProperties, LinearWorkGrowsWithTheSequenceAndAttentionWithItsSquare) {
  const bool held = rc::check([] {
    const auto sequence = *rc::gen::inRange<std::int64_t>(1, 256);
    const auto factor = *rc::gen::inRange<std::int64_t>(1, 4);
    Gpt2Spec spec{.layers = 2, .hidden = 64, .heads = 4, .feed_forward = 256, .vocabulary = 100};
    spec.positions = 1024;
    spec.sequence = sequence;
    const Model shorter = build_gpt2(spec);
    spec.sequence = factor * sequence;
    const Model longer = build_gpt2(spec);
    const auto by = static_cast<double>(factor);
    RC_ASSERT(multiply_adds_in<Linear>(longer) == by * multiply_adds_in<Linear>(shorter));
    RC_ASSERT(multiply_adds_in<BatchedGemm>(longer) == by * by * multiply_adds_in<BatchedGemm>(shorter));
  });
  EXPECT_TRUE(held);
}

TEST(TransformerProperties, EveryEncoderLayerKeepsWhatTheFormulaSays) {
  const bool held = rc::check([] {
    BertSpec spec;
    spec.layers = *rc::gen::inRange<std::int64_t>(1, 5);
    spec.heads = *rc::gen::inRange<std::int64_t>(1, 9);
    spec.hidden = 8 * spec.heads;
    spec.feed_forward = 4 * spec.hidden;
    spec.vocabulary = 100;
    spec.positions = 512;
    spec.sequence = *rc::gen::inRange<std::int64_t>(1, 513);
    const Model model = build_bert(spec);
    const auto s = static_cast<double>(spec.sequence);
    const auto h = static_cast<double>(spec.hidden);
    const auto a = static_cast<double>(spec.heads);
    RC_ASSERT(sum_where(model, "bert.encoder.layer.", &half_precision_bytes) ==
              static_cast<double>(spec.layers) * (34 * s * h + 5 * a * s * s));
  });
  EXPECT_TRUE(held);
}

TEST(Mlp, IsAChainThatCanBeCountedByHand) {
  // 3 x 4 + 4, 4 x 4 + 4, 4 x 2 + 2 parameters; kept: inputs 3 + 4 + 4, prediction and target 2 + 2.
  const Model model = build_mlp({.inputs = 3, .hidden = 4, .outputs = 2, .layers = 3});
  EXPECT_EQ(model.parameter_count(), 16 + 20 + 10);
  EXPECT_EQ(model.parameters.size(), 6U);
  EXPECT_EQ(model.parameters.back().name, "4.bias");
  EXPECT_EQ(model.forward_multiply_adds(), 12 + 16 + 8);
  EXPECT_EQ(saved_bytes(model, 1, 4), 4 * 15);
  EXPECT_EQ(model.modules, 6);
}

}  // namespace
}  // namespace paceline
