// Counts of parameters as the publishers' checkpoints have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

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

}  // namespace
}  // namespace paceline
