// One builder for each kind of net: plain sizes in, a Model out. The names of its parameters and their order
// are those of torchvision and Hugging Face transformers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/model.h"

namespace paceline {

struct ResNetSpec {
  bool bottleneck = true;
  std::vector<std::int64_t> blocks;  // of each stage
  std::int64_t groups = 1;
  std::int64_t width_per_group = 64;
  bool stride_in_first = false;  // v1: the stride is in the first 1x1 convolution instead of the 3x3 one
  bool squeeze_excite = false;
  std::int64_t image = 224;
  std::int64_t classes = 1000;
};
Model build_resnet(const ResNetSpec& spec);

struct VggSpec {
  std::vector<std::int64_t> convolutions;  // 3x3 convolutions of each stage
  std::int64_t image = 224;
  std::int64_t classes = 1000;
};
Model build_vgg(const VggSpec& spec);

struct AlexNetSpec {
  std::int64_t image = 224;
  std::int64_t classes = 1000;
};
Model build_alexnet(const AlexNetSpec& spec);

struct InceptionSpec {
  std::int64_t image = 299;
  std::int64_t classes = 1000;
};
Model build_inception(const InceptionSpec& spec);

struct EfficientNetSpec {
  double width = 1, depth = 1;  // multipliers of channels and of blocks
  std::int64_t image = 224;
  std::int64_t classes = 1000;
};
Model build_efficientnet(const EfficientNetSpec& spec);

struct SsdSpec {
  std::int64_t image = 300;
  std::int64_t classes = 81;  // background included
};
Model build_ssd(const SsdSpec& spec);

// Shared by the transformers: `positions` limits the sequence.
struct TransformerSpec {
  std::int64_t layers = 12;
  std::int64_t hidden = 768;
  std::int64_t heads = 12;
  std::int64_t feed_forward = 3072;
  std::int64_t vocabulary = 0;
  std::int64_t positions = 0;
  std::int64_t sequence = 0;
};

struct BertSpec : TransformerSpec {
  double masked_positions = 0;  // that the vocabulary head sees; 0: as many as the published scripts allow
};
// Masked positions of a sample in the published pre-training scripts: 20 of 128, 80 of 512.
double bert_masked_positions(std::int64_t sequence);
Model build_bert(const BertSpec& spec);

using Gpt2Spec = TransformerSpec;
Model build_gpt2(const Gpt2Spec& spec);

struct LlamaSpec : TransformerSpec {
  std::int64_t key_value_heads = 8;
};
Model build_llama(const LlamaSpec& spec);

// A chain of linear layers with bias and ReLU between them, and a mean squared error.
struct MlpSpec {
  std::int64_t inputs = 1024;
  std::int64_t hidden = 1024;
  std::int64_t outputs = 1024;
  std::int64_t layers = 4;  // linear layers
};
Model build_mlp(const MlpSpec& spec);

}  // namespace paceline
