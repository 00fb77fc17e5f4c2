// Model: layers with shapes, in forward order, and the parameter tensors in the order a framework registers
// them. It knows nothing of ranks, precisions or devices: all figures are elements or multiply-adds of one
// sample.
#pragma once

#include <cstdint>
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
  bool causal = false;  // half of the square is masked; counted whole, since only a fused kernel skips it
  bool fused = false;   // part of one attention kernel that never writes the scores
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

struct Layer {
  std::string name;  // "layer1.0.conv1", "encoder.3.attention.query"
  std::variant<Convolution, Linear, BatchedGemm, ElementWise, Traffic, VocabularyLoss> work;
  std::vector<std::size_t> parameters;  // indices into Model::parameters that its backward produces
  // Kept from forward for backward, per sample: elements in the compute precision, plus bytes whatever the
  // precision (masks, indices, 32-bit statistics), plus bytes once per call (BatchNorm mean and inverse
  // deviation).
  double saved_elements = 0;
  double saved_bytes = 0;
  double saved_bytes_per_call = 0;
};

struct Parameter {
  std::string name;
  std::int64_t elements = 0;
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

}  // namespace paceline
