// Writes convolutional nets layer by layer and tracks which tensors the backward pass keeps.
#pragma once

#include <string>
#include <vector>

#include "sim/model/model_writer.h"

namespace paceline {

// A tensor of one sample between two layers. Layers that work in place hand the same tensor on.
struct FeatureMap {
  std::int64_t channels = 0, height = 1, width = 1;
  std::size_t tensor = 0;
  std::int64_t depth = 1;  // of a volume
  [[nodiscard]] double elements() const { return static_cast<double>(channels * depth * height * width); }
};

// Kernel, stride and padding of a convolution or pooling window; along the depth of a volume as along the
// height.
struct Window {
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride = 1;
  std::int64_t padding_height = 0, padding_width = 0;
  std::int64_t dilation = 1;
  bool round_up = false;  // pooling only: the last window may reach over the edge

  // Odd kernels with the padding that keeps the size at stride 1.
  static Window same(std::int64_t kernel, std::int64_t stride = 1);
  static Window oblong(std::int64_t kernel_height, std::int64_t kernel_width);
  static Window valid(std::int64_t kernel, std::int64_t stride = 1);
};

// A tensor is kept once, by the first layer whose backward needs it: batch norm, convolution, linear layer,
// swish and pooling keep their input, ReLU its output. Convolutions and norms count as modules; others by
// `modules`.
class ConvolutionalWriter {
 public:
  ConvolutionalWriter(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t depth = 1);

  [[nodiscard]] FeatureMap image() const { return image_; }
  // Throws InputError if the window does not fit into the input.
  FeatureMap convolution(const std::string& name, const FeatureMap& input, std::int64_t outputs,
                         const Window& window, std::int64_t groups = 1, bool bias = false);
  // Ahead of the layer, where a net registers its convolutions in another order than it runs them.
  void register_convolution(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                            const Window& window, std::int64_t groups, bool bias);
  FeatureMap batch_norm(const std::string& name, const FeatureMap& input);
  // From here on batch norms are scales and shifts by numbers that are not trained: no parameters, nothing
  // kept.
  void freeze_norms() { frozen_ = true; }
  // Each sample and channel by itself; parameters as batch norm's, no running statistics.
  FeatureMap instance_norm(const std::string& name, const FeatureMap& input);
  // Each input position spreads over `factor` positions of every side, without overlap; with bias.
  FeatureMap up_convolution(const std::string& name, const FeatureMap& input, std::int64_t outputs,
                            std::int64_t factor);
  FeatureMap relu(const std::string& name, const FeatureMap& input);   // in place
  FeatureMap swish(const std::string& name, const FeatureMap& input);  // keeps its input as well
  // Its output is kept and its backward needs no input: sigmoid.
  FeatureMap sigmoid(const std::string& name, const FeatureMap& input);
  FeatureMap add(const std::string& name, const FeatureMap& into, const FeatureMap& other);  // in place
  FeatureMap max_pool(const std::string& name, const FeatureMap& input, const Window& window);
  FeatureMap average_pool(const std::string& name, const FeatureMap& input, const Window& window);
  FeatureMap average_pool_to(const std::string& name, const FeatureMap& input, std::int64_t size);
  FeatureMap concat(const std::string& name, const std::vector<FeatureMap>& inputs);
  FeatureMap channel_scale(const std::string& name, const FeatureMap& input, const FeatureMap& gate);
  FeatureMap dropout(const std::string& name, const FeatureMap& input);
  FeatureMap linear(const std::string& name, const FeatureMap& input, std::int64_t outputs);

  void add_modules(std::int64_t count) { writer_.add_modules(count); }
  [[nodiscard]] ModelWriter& writer() { return writer_; }
  // A tensor that no layer above makes: what is cut out of maps, for one.
  FeatureMap fresh(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t depth = 1);
  void keep(Layer& layer, const FeatureMap& map);
  Model finish(double output_elements);

 private:
  FeatureMap slid(const std::string& name, const FeatureMap& input, std::int64_t channels,
                  const Window& window);

  ModelWriter writer_;
  std::vector<bool> kept_;  // by tensor
  FeatureMap image_;
  bool frozen_ = false;
};

}  // namespace paceline
