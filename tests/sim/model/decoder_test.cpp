// Decoders of the catalog: counts of parameters as their publishers' checkpoints have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/model_summary.h"
#include "tests/sim/model/catalog.h"

namespace paceline {
namespace {

struct Published {
  const char* name;
  std::int64_t parameters;
  const char* where;
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

std::string test_name(const ::testing::TestParamInfo<Published>& test) {
  std::string name = test.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class PublishedCount : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedCount, IsMetToTheParameter) {
  EXPECT_EQ(source_model(GetParam().name).parameter_count(), GetParam().parameters) << GetParam().where;
}

// "checkpoint": the sum over the tensors of the published weights, a tied head counted once.
INSTANTIATE_TEST_SUITE_P(
    Decoders, PublishedCount,
    ::testing::Values(Published{"bloom-560m", 559214592, "bigscience/bloom-560m, model card"},
                      Published{"bloom-1b1", 1065314304, "bigscience/bloom-1b1, model card"},
                      Published{"bloom-1b7", 1722408960, "bigscience/bloom-1b7, model card"},
                      Published{"bloom-3b", 3002557440, "bigscience/bloom-3b, model card"},
                      Published{"bloom-7b1", 7069016064, "bigscience/bloom-7b1, model card"},
                      Published{"bloom", 176247271424, "bigscience/bloom, model card"},
                      Published{"mpt-7b-alibi", 6649286656, "mosaicml/mpt-7b, checkpoint"},
                      Published{"opt-125m", 125239296, "facebook/opt-125m, checkpoint"},
                      Published{"opt-350m", 331196416, "facebook/opt-350m, checkpoint"},
                      Published{"opt-1.3b", 1315758080, "facebook/opt-1.3b, checkpoint"},
                      Published{"opt-2.7b", 2651596800, "facebook/opt-2.7b, checkpoint"},
                      Published{"opt-6.7b", 6658473984, "facebook/opt-6.7b, checkpoint"},
                      Published{"opt-13b", 12853473280, "facebook/opt-13b, checkpoint"},
                      Published{"opt-30b", 29974540288, "facebook/opt-30b, checkpoint"},
                      Published{"gpt-neox-20b", 20554567680, "EleutherAI/gpt-neox-20b, model card"},
                      Published{"gpt-j-6b", 6050882784, "EleutherAI/gpt-j-6b, checkpoint"},
                      Published{"falcon-7b", 6921720704, "tiiuae/falcon-7b, checkpoint"},
                      Published{"llama-7b", 6738415616, "checkpoint"},
                      Published{"llama-13b", 13015864320, "checkpoint"},
                      Published{"llama-33b", 32528943616, "checkpoint"},
                      Published{"llama-65b", 65285660672, "checkpoint"},
                      Published{"llama2-13b", 13015864320, "meta-llama/Llama-2-13b-hf, checkpoint"},
                      Published{"llama2-70b", 68976648192, "meta-llama/Llama-2-70b-hf, checkpoint"},
                      Published{"llama3.1-405b", 405853388800, "meta-llama/Llama-3.1-405B, checkpoint"},
                      Published{"llama3.2-1b", 1235814400, "meta-llama/Llama-3.2-1B, checkpoint"},
                      Published{"llama3.2-3b", 3212749824, "meta-llama/Llama-3.2-3B, checkpoint"},
                      Published{"mistral-7b", 7241732096, "mistralai/Mistral-7B-v0.1, checkpoint"},
                      Published{"qwen2-0.5b", 494032768, "Qwen/Qwen2-0.5B, checkpoint"},
                      Published{"qwen2-1.5b", 1543714304, "Qwen/Qwen2-1.5B, checkpoint"},
                      Published{"qwen2-7b", 7615616512, "Qwen/Qwen2-7B, checkpoint"},
                      Published{"qwen2-72b", 72706203648, "Qwen/Qwen2-72B, checkpoint"},
                      Published{"qwen2.5-3b", 3085938688, "Qwen/Qwen2.5-3B, checkpoint"},
                      Published{"qwen2.5-14b", 14770033664, "Qwen/Qwen2.5-14B, checkpoint"},
                      Published{"qwen2.5-32b", 32763876352, "Qwen/Qwen2.5-32B, checkpoint"},
                      Published{"qwen3-0.6b", 596049920, "Qwen/Qwen3-0.6B, tied head once"},
                      Published{"qwen3-1.7b", 1720574976, "Qwen/Qwen3-1.7B, tied head once"},
                      Published{"qwen3-4b", 4022468096, "Qwen/Qwen3-4B, checkpoint"},
                      Published{"qwen3-8b", 8190735360, "Qwen/Qwen3-8B, checkpoint"},
                      Published{"qwen3-14b", 14768307200, "Qwen/Qwen3-14B, checkpoint"},
                      Published{"qwen3-32b", 32762123264, "Qwen/Qwen3-32B, checkpoint"},
                      Published{"gemma-2b", 2506172416, "google/gemma-2b, checkpoint"},
                      Published{"gemma-7b", 8537680896, "google/gemma-7b, checkpoint"},
                      Published{"gemma2-2b", 2614341888, "google/gemma-2-2b, checkpoint"},
                      Published{"gemma2-9b", 9241705984, "google/gemma-2-9b, checkpoint"},
                      Published{"phi3-mini", 3821079552, "microsoft/Phi-3-mini-4k-instruct, checkpoint"}),
    test_name);

INSTANTIATE_TEST_SUITE_P(
    Mixtures, PublishedCount,
    ::testing::Values(Published{"qwen3-30b-a3b", 30532122624, "Qwen/Qwen3-30B-A3B, checkpoint"},
                      Published{"qwen3-235b-a22b", 235093634560, "Qwen/Qwen3-235B-A22B, checkpoint"},
                      Published{"mixtral-8x7b", 46702792704, "mistralai/Mixtral-8x7B-v0.1, checkpoint"},
                      Published{"mixtral-8x22b", 140620634112, "mistralai/Mixtral-8x22B-v0.1, checkpoint"},
                      Published{"deepseek-v2-lite", 15706484224, "deepseek-ai/DeepSeek-V2-Lite, checkpoint"},
                      Published{"deepseek-v2", 235741434880, "deepseek-ai/DeepSeek-V2, checkpoint"},
                      Published{"deepseek-v3", 671026419200, "deepseek-ai/DeepSeek-V3, without prediction"},
                      Published{"gpt-oss-20b", 20914757184, "openai/gpt-oss-20b, model card: 20.91B"},
                      Published{"gpt-oss-120b", 116829156672, "openai/gpt-oss-120b, model card: 116.83B"}),
    test_name);

INSTANTIATE_TEST_SUITE_P(
    EncodersAndOthers, PublishedCount,
    ::testing::Values(
        Published{"roberta-base", 124697433, "transformers.RobertaForMaskedLM"},
        Published{"roberta-large", 355412057, "transformers.RobertaForMaskedLM"},
        Published{"distilbert-base", 66985530, "transformers.DistilBertForMaskedLM"},
        Published{"t5-small", 60506624, "google-t5/t5-small, checkpoint"},
        Published{"t5-base", 222903552, "google-t5/t5-base, checkpoint"},
        Published{"t5-large", 737668096, "google-t5/t5-large, checkpoint"},
        Published{"t5-3b", 2851598336, "google-t5/t5-3b, checkpoint"},
        Published{"t5-11b", 11307321344, "google-t5/t5-11b, checkpoint"},
        Published{"bart-base", 139420416, "facebook/bart-base, checkpoint"},
        Published{"bart-large", 406291456, "facebook/bart-large, checkpoint"},
        Published{"transformer-xl-base", 191950298, "NVIDIA DeepLearningExamples, printed by its training"},
        // Discriminator 108,891,648 (transformers.ElectraModel) and its head 591,361; generator: projection
        // to 256 196,864, 12 layers of 789,760, head 768 x 256 + 768 + 1536 + 30,522.
        Published{"electra-base", 108891648 + 591361 + 196864 + 12 * 789760 + 229434,
                  "ElectraModel and parts"},
        Published{"gnmt-v2", 160671297, "NVIDIA DeepLearningExamples, GNMT, printed by its training"},
        Published{"ncf-ml20m", 31832577, "NVIDIA DeepLearningExamples, NCF, printed by its training"},
        // 187,767,399 rows of 128, and 13-512-256-128 and 479-1024-1024-512-256-1 with biases.
        Published{"dlrm", 187767399LL * 128 + 2368897, "MLPerf Training, tables of at most 40 million rows"}),
    test_name);

// llm-foundry sizes its table of positions by the sequence: 50,368 and 512 or 65,536 rows of 768, 12 layers
// of 12 h^2 + 13 h, a norm.
TEST(Mpt, LearnsAPositionForEachTokenOfItsSequence) {
  for (const std::int64_t sequence : {512, 65536})
    EXPECT_EQ(source_model("mpt-125m", {.sequence = sequence}).parameter_count(),
              (50368 + sequence) * 768 + 12 * (12 * 768 * 768 + 13 * 768) + 2 * 768);
}

// Model cards, billions: Mixtral 12.9 of 46.7, DeepSeek-V2 21 of 236, V3 37 of 671, Qwen3 3.3 of 30.5 and 22
// of 235, gpt-oss 3.6 of 20.9 and 5.1 of 116.8 (those two without the embedding).
TEST(Mixtures, HaveTheActiveParametersOfTheirNames) {
  const auto active = [](const char* name) { return source_model(name).active_parameter_count() / 1e9; };
  EXPECT_NEAR(active("mixtral-8x7b"), 12.9, 0.05);
  EXPECT_NEAR(active("deepseek-v2"), 21, 0.5);
  EXPECT_NEAR(active("deepseek-v3"), 37, 0.6);
  EXPECT_NEAR(active("qwen3-30b-a3b"), 3.3, 0.06);
  EXPECT_NEAR(active("qwen3-235b-a22b"), 22, 0.25);
  EXPECT_NEAR(active("gpt-oss-20b"), 3.6 + 201088 * 2880 / 1e9, 0.05);
  EXPECT_NEAR(active("gpt-oss-120b"), 5.1 + 201088 * 2880 / 1e9, 0.05);
}

// A dense net's forward is one multiply-add for each parameter and token, without look-ups, norms and biases,
// plus 2 s^2 (score and value sizes x heads) / 2 a layer when counted whole as here.
TEST(Decoders, DoTheWorkOfTheirParametersAndOfTheirScores) {
  // Llama 3 8B: 8,030,261,248 - embedding 128,256 x 4096 - 65 norms of 4096; 32 layers of 2 x 4096 x s^2.
  const Model model = source_model("llama3-8b", {.sequence = 2048});
  const double weights = 8030261248.0 - 128256.0 * 4096 - 65 * 4096;
  EXPECT_DOUBLE_EQ(model.forward_multiply_adds(), 2048 * weights + 32 * 2.0 * 4096 * 2048 * 2048);
}

TEST(Mixtures, DoTheWorkOfTheirActiveParameters) {
  // Mixtral: the active ones without embedding and 65 norms, and the scores of 32 layers.
  const Model model = source_model("mixtral-8x7b", {.sequence = 1024});
  const double weights = model.active_parameter_count() - 32000.0 * 4096 - 65 * 4096;
  EXPECT_DOUBLE_EQ(model.forward_multiply_adds(), 1024 * weights + 32 * 2.0 * 4096 * 1024 * 1024);
}

double half_precision_bytes(const Model& model, const Block& block, LayerKind but) {
  double sum = 0;
  for (std::size_t index = block.first_layer; index < block.end_layer; ++index) {
    const Layer& layer = model.layers[index];
    if (kind_of(layer) != but) sum += 2 * layer.saved_elements + layer.saved_bytes;
  }
  return sum;
}

// Latent attention: 4 h + 4 q_rank + 4 kv_rank + a (4 d_qk + 4 d_v + 4) = 201,216 bytes a token for V3's
// sizes. One dense layer adds a norm's input and output 4 h and 6 f of the gate, and 4 bytes for each of four
// norms.
TEST(DeepSeekV3, ADenseLayerKeepsWhatLatentAttentionAndItsGateKeep) {
  const Model model = source_model("deepseek-v3", {.sequence = 1});
  EXPECT_EQ(half_precision_bytes(model, model.blocks.front(), LayerKind::loss),
            201216 + 4 * 7168 + 6 * 18432 + 4 * 4);
}

// A layer with experts keeps instead, a token: 2 h for each of 8 chosen experts' input, 4 f + 2 f of each,
// the shared expert's 6 f, and 8 bytes for each logit and chosen pair.
TEST(DeepSeekV3, ALayerWithExpertsKeepsTheRowsOfItsPairs) {
  const Model model = source_model("deepseek-v3", {.sequence = 1});
  EXPECT_EQ(half_precision_bytes(model, model.blocks.back(), LayerKind::loss),
            201216 + 4 * 7168 + 8 * (2 * 7168 + 6 * 2048) + 6 * 2048 + 8 * (256 + 8) + 4 * 4);
}

// 685 B with the head and embedding that the extra block has a copy of: 14 B, of which 2 x 129,280 x 7168 are
// copies.
TEST(DeepSeekV3, PredictsAFurtherTokenWithABlockOfItsOwn) {
  const double more = static_cast<double>(source_model("deepseek-v3-mtp").parameter_count() -
                                          source_model("deepseek-v3").parameter_count());
  EXPECT_NEAR(more / 1e9, 14 - 2 * 129280 * 7168 / 1e9, 0.7);
}

TEST(Blocks, CoverEveryLayerBetweenEmbeddingAndHead) {
  for (const char* name : {"gpt2", "bert-base", "llama3-8b", "gpt-oss-20b", "opt-350m", "deepseek-v2-lite"}) {
    const Model model = source_model(name);
    ASSERT_FALSE(model.blocks.empty()) << name;
    EXPECT_EQ(kind_of(model.layers.front()), LayerKind::embedding) << name;
    for (std::size_t index = 1; index < model.blocks.size(); ++index)
      EXPECT_EQ(model.blocks[index].first_layer, model.blocks[index - 1].end_layer) << name;
    EXPECT_LT(model.blocks.back().end_layer, model.layers.size()) << name;
  }
}

// Tensor parallelism divides what has weights but norms and routers, and what works on heads.
TEST(Blocks, SayHowEveryProductOfALayerDivides) {
  const Model model = source_model("qwen3-30b-a3b");
  for (const Layer& layer : model.layers) {
    const bool router = layer.name.ends_with(".router");
    const LayerKind kind = kind_of(layer);
    if (kind == LayerKind::linear) {
      EXPECT_EQ(layer.split == Split::none, router) << layer.name;
    } else if (kind == LayerKind::attention) {
      EXPECT_EQ(layer.split, Split::heads) << layer.name;
    } else if (kind == LayerKind::experts) {
      EXPECT_EQ(layer.split, Split::experts) << layer.name;
    }
  }
}

TEST(Blocks, HaveTheShapesOfTheirAttention) {
  const Model model = source_model("gpt-oss-20b", {.sequence = 512});
  ASSERT_EQ(model.blocks.size(), 24U);
  EXPECT_EQ(model.blocks[0].attention.front().window, 128);
  EXPECT_EQ(model.blocks[1].attention.front().window, 0);
  EXPECT_EQ(model.blocks[0].attention.front().key_value_heads, 8);
  EXPECT_EQ(model.blocks[0].experts->chosen, 4);
  EXPECT_FALSE(model.tied_head);
}

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

// A window of 128 of 512 positions: rows see 1 to 128, then 128 keys: 128 x 512 - 128^2 / 2 of 512^2.
TEST(VisibleShare, IsThatOfTheTrapezeBelowTheDiagonal) {
  BatchedGemm scores{1, 512, 512, 64, true, true, 128};
  EXPECT_DOUBLE_EQ(scores.visible_share(), (128.0 * 512 - 128 * 128 / 2.0) / (512 * 512));
  scores.window = 0;
  EXPECT_DOUBLE_EQ(scores.visible_share(), 0.5);
  scores.causal = false;
  EXPECT_DOUBLE_EQ(scores.visible_share(), 1);
}

}  // namespace
}  // namespace paceline
