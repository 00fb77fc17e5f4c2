// Model: layers with shapes, in forward order, and the parameter tensors in the order a framework registers
// them. It knows nothing of ranks, precisions or devices: all figures are elements or multiply-adds of one
// sample.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/quantity.h"

namespace paceline {

// Convolution as an implicit GEMM of one sample: m = output_height * output_width, n = output_channels,
// k = input_channels / groups * kernel_height * kernel_width.
struct Convolution {
  std::int64_t input_channels = 0, output_channels = 0;
  std::int64_t input_height = 0, input_width = 0;
  std::int64_t output_height = 0, output_width = 0;
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride = 1;
  std::int64_t groups = 1;
  bool first = false;  // its input needs no gradient
  // Volumes (3-D convolution): all 1 for images.
  std::int64_t input_depth = 1, output_depth = 1, kernel_depth = 1;

  [[nodiscard]] double input_elements() const;   // of one sample
  [[nodiscard]] double output_elements() const;  // of one sample
  [[nodiscard]] double output_positions() const;
  [[nodiscard]] double window() const;   // positions that one output sees
  [[nodiscard]] double weights() const;  // elements
};

// y[rows, outputs] = x[rows, inputs] W: rows per sample (1 for a classifier, the sequence length in a
// transformer).
struct Linear {
  double rows = 1;
  std::int64_t inputs = 0, outputs = 0;
  bool input_needs_gradient = true;
};

// Products of two activations, `count` per sample of m x n x k (attention scores and context).
struct BatchedGemm {
  double count = 0;
  std::int64_t m = 0, n = 0, k = 0;
  bool causal = false;      // half of the square is masked; counted whole, since only a fused kernel skips it
  bool fused = false;       // part of one attention kernel that never writes the scores
  std::int64_t window = 0;  // keys that a query sees at most; 0: all of them

  // Share of the products that a fused kernel computes: it skips what is masked by causality or the window.
  [[nodiscard]] double visible_share() const;
};

// A mixture's linear layers: every row goes through the weight of one of `experts`. `rows` per sample are
// those of all experts together: tokens times the experts that each token chooses.
struct ExpertLinear {
  double rows = 0;
  std::int64_t experts = 1;
  std::int64_t inputs = 0, outputs = 0;
};

// The part of a recurrent layer that cannot be batched over time: `steps` products one after the other of
// the state of every sample (width `hidden`) with `gates` x `hidden` outputs, in `directions` directions.
struct Recurrent {
  std::int64_t steps = 0, hidden = 0, gates = 4, directions = 1;
};

// Memory-bound layers of convolutional nets. `elements` are output elements of a sample.
enum class ElementWiseKind {
  batch_norm,
  activation,  // ReLU and its like
  swish,       // activation whose input must be kept
  residual_add,
  bias,
  concat,
  channel_scale,  // squeeze-and-excite product
  pooling
};
struct ElementWise {
  ElementWiseKind kind = ElementWiseKind::activation;
  double elements = 0;
  double input_elements = 0;  // pooling and concat: what is read
};

// Memory-bound layers of transformers: elements moved (read plus written) in forward and backward of one
// sample. Framework multipliers act on these; fusion is theirs.
struct Traffic {
  std::string what;  // "embedding", "softmax", "layer norm", "head transposes", "gelu", ...
  double forward_elements = 0, backward_elements = 0;
  int forward_kernels = 1, backward_kernels = 1;  // eager kernels behind it, for the host cost
};

// Log-softmax and negative log likelihood over a vocabulary: rows per sample.
struct VocabularyLoss {
  double rows = 0;
  std::int64_t vocabulary = 0;
};

// Along which dimension a group of ranks can divide a layer.
enum class Split {
  none,        // every rank computes it whole, or a share of the tokens: norms, routers, residual adds
  outputs,     // the weight's outputs: no communication before, the results are parts of the output
  inputs,      // the weight's inputs: results are partial sums
  heads,       // attention, by heads
  vocabulary,  // embedding, output head and loss
  experts      // a mixture's experts
};

struct Layer {
  std::string name;  // "layer1.0.conv1", "encoder.3.attention.query"
  std::variant<Convolution, Linear, BatchedGemm, ElementWise, Traffic, VocabularyLoss, ExpertLinear,
               Recurrent>
      work;
  std::vector<std::size_t> parameters;  // indices into Model::parameters that its backward produces
  // Kept from forward for backward, per sample: elements in the compute precision, plus bytes whatever the
  // precision (masks, indices, 32-bit statistics), plus bytes once per call (BatchNorm mean and inverse
  // deviation).
  double saved_elements = 0;
  double saved_bytes = 0;
  double saved_bytes_per_call = 0;
  Split split = Split::none;
};

// What a layer is, whatever computes it. Throws nothing.
enum class LayerKind {
  convolution,
  linear,
  attention,  // scores, softmax, context
  experts,
  recurrent,
  embedding,
  norm,
  router,
  loss,
  element_wise  // activations, residual adds, dropout, copies
};
[[nodiscard]] LayerKind kind_of(const Layer& layer);

struct Parameter {
  std::string name;
  std::int64_t elements = 0;
  double active_share = 1;  // of a mixture's experts: the share that a token sees
};

// Attention of a transformer layer. With latent projections (DeepSeek's MLA) the ranks are those of the
// compressed queries (0: not compressed) and keys and values; `head_size` then includes the rotary part.
struct AttentionShape {
  std::int64_t heads = 0, key_value_heads = 0;
  std::int64_t head_size = 0, value_size = 0;
  std::int64_t query_rank = 0, key_value_rank = 0, rotary_size = 0;
  std::int64_t queries = 0, keys = 0;  // positions a sample
  bool causal = false;
  std::int64_t window = 0;  // keys that a query sees at most; 0: all
  bool dropout = false;
  bool fused = false;
  bool operator==(const AttentionShape&) const = default;
};

// A mixture of experts: each token chooses `chosen` of `experts`; all tokens go through the shared part.
struct ExpertShape {
  std::int64_t experts = 0, chosen = 0;
  std::int64_t feed_forward = 0, shared_feed_forward = 0;
  bool bias = false;  // in both products of every expert
  bool operator==(const ExpertShape&) const = default;
};

// A run of layers that a pipeline never cuts: one transformer layer.
struct Block {
  std::string name;
  std::size_t first_layer = 0, end_layer = 0;  // [first, end) of Model::layers
  // First of the layers that lead to a block which predicts a token further ahead than the next (its
  // embedding, norms and projection); of others first_layer.
  std::size_t lead_layer = 0;
  std::int64_t hidden = 0;
  std::vector<AttentionShape> attention;  // a decoder over an encoder has two
  std::int64_t feed_forward = 0;          // 0 with experts
  bool gated = false;                     // feed-forward part with a gate beside its first product
  std::optional<ExpertShape> experts;
  bool rotary = false;     // queries and keys are turned by their position
  bool head_norm = false;  // queries and keys are normed
  bool dropout = false;    // before each residual add
  int norms = 2, adds = 2;

  [[nodiscard]] bool predicts_further() const { return lead_layer < first_layer; }
};

enum class ModelFamily { convolutional, encoder, decoder };

struct Model {
  std::string name;   // "resnet50"
  std::string title;  // "ResNet-50 v1.5"
  ModelFamily family = ModelFamily::convolutional;
  std::vector<Layer> layers;          // forward order
  std::vector<Parameter> parameters;  // registration order; a tied tensor stands once
  double buffer_float_elements = 0;   // running statistics, fp32
  double buffer_integer_count = 0;    // 64-bit counters
  double input_bytes = 0;             // of one sample, as handed to forward (fp32 images, 64-bit token ids)
  double output_elements = 0;         // of one sample: logits that forward returns
  std::int64_t modules = 0;           // objects of the module tree, for nn.DataParallel's replication
  std::int64_t sequence = 0;          // tokens a sample; 0 for images
  bool tied_head = false;             // the output head uses the embedding's weight
  std::vector<Block> blocks;          // of transformers, in forward order

  // Parameters that a token is multiplied with: all but the experts it does not choose.
  [[nodiscard]] double active_parameter_count() const;
  [[nodiscard]] std::int64_t parameter_count() const;
  // Multiply-adds of one sample's forward in convolutions, linear layers and attention products.
  [[nodiscard]] double forward_multiply_adds() const;
};

// How a convolution is computed decides its speed. Winograd serves dense ones with both kernel sides of at
// least 3, stride 1 and at least 16 input channels.
enum class ConvolutionClass { winograd, dense, grouped, depthwise };
[[nodiscard]] ConvolutionClass classify(const Convolution& convolution);

// Multiply-adds of a layer's forward for one sample; 0 for memory-bound layers.
[[nodiscard]] double multiply_adds(const Layer& layer);

// Some strategies compute the loss elsewhere than the rest of the model.
[[nodiscard]] inline bool is_loss(const Layer& layer) {
  return std::holds_alternative<VocabularyLoss>(layer.work);
}

}  // namespace paceline
