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
  double masked_positions = 0;   // that the vocabulary head sees; 0: as many as the published scripts allow
  std::int64_t token_types = 2;  // rows of the segment table; 0: none
  bool next_sentence = true;     // pooler and the head of two logits
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

// Vision transformer (Dosovitskiy et al. 2020): patches, a class token, encoder blocks, a classifier.
struct VitSpec {
  std::int64_t layers = 12, hidden = 768, heads = 12, feed_forward = 3072;
  std::int64_t patch = 16;
  std::int64_t image = 224;
  std::int64_t classes = 1000;
};
Model build_vit(const VitSpec& spec);

// U-Net (Ronneberger et al. 2015): `channels` of each level; pooling and norms over batches in two
// dimensions, strided convolutions and instance norms in three.
struct UnetSpec {
  std::vector<std::int64_t> channels;
  bool volume = false;
  std::int64_t inputs = 3;
  std::int64_t image = 572;  // of each side
  std::int64_t classes = 2;
};
Model build_unet(const UnetSpec& spec);

// Mask R-CNN with ResNet-50 and a feature pyramid (He et al. 2017), as torchvision's. `image` is the shorter
// side, the longer one is 5/3 of it.
struct MaskRcnnSpec {
  std::int64_t image = 800;
  std::int64_t classes = 91;
  std::int64_t boxes = 512;  // an image that the box head sees
  std::int64_t masks = 128;  // of them with an object: those the mask head sees
};
Model build_mask_rcnn(const MaskRcnnSpec& spec);

// ELECTRA: sizes of the discriminator, of the embedding that both nets share, and of the generator, which has
// as many layers (0 wide: the discriminator alone).
struct ElectraSpec : TransformerSpec {
  std::int64_t embedding = 768;
  std::int64_t generator_hidden = 0, generator_heads = 0, generator_feed_forward = 0;
};
Model build_electra(const ElectraSpec& spec);

// `memory`: positions of the segment before; `cutoffs`: words before each further cluster of the vocabulary,
// whose vectors are `divisor` times narrower than those of the cluster before.
struct TransformerXlSpec : TransformerSpec {
  std::int64_t memory = 0;
  std::vector<std::int64_t> cutoffs;
  std::int64_t divisor = 1;
};
Model build_transformer_xl(const TransformerXlSpec& spec);

struct RetinaNetSpec {
  std::int64_t groups = 1, width_per_group = 64;  // of the backbone's blocks
  std::int64_t image = 800;                       // of each side
  std::int64_t classes = 91;
};
Model build_retinanet(const RetinaNetSpec& spec);

// Deep learning recommendation model (Naumov et al. 2019): a table for each category, an MLP for the numbers,
// products of all pairs, an MLP on top. A sample is one click.
struct DlrmSpec {
  std::vector<std::int64_t> tables;       // rows of each
  std::int64_t width = 128;               // of their vectors
  std::vector<std::int64_t> bottom, top;  // outputs of the layers; the last of bottom is `width`
  std::int64_t numbers = 13;
  bool pad_pairs = false;  // the top's input to a multiple of 8
};
Model build_dlrm(const DlrmSpec& spec);

// Neural collaborative filtering (He et al. 2017): matrix factorisation beside an MLP of users and items.
struct NcfSpec {
  std::int64_t users = 0, items = 0;
  std::int64_t factors = 64;
  std::vector<std::int64_t> layers;  // inputs of the MLP, then outputs of its layers
};
Model build_ncf(const NcfSpec& spec);

// GNMT (Wu et al. 2016) as in NVIDIA DeepLearningExamples: LSTM encoder, first layer in both directions, and
// decoder with additive attention. A sample is a pair of sentences of `sequence` tokens each.
struct GnmtSpec {
  std::int64_t layers = 4;  // of each side
  std::int64_t hidden = 1024;
  std::int64_t vocabulary = 32320;
  std::int64_t positions = 1024, sequence = 50;
};
Model build_gnmt(const GnmtSpec& spec);

// A chain of linear layers with bias and ReLU between them, and a mean squared error.
struct MlpSpec {
  std::int64_t inputs = 1024;
  std::int64_t hidden = 1024;
  std::int64_t outputs = 1024;
  std::int64_t layers = 4;  // linear layers
};
Model build_mlp(const MlpSpec& spec);

}  // namespace paceline
