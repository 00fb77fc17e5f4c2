#include "sim/model/convolutional_writer.h"

#include <fmt/format.h>

#include "base/error.h"

namespace paceline {
namespace {

constexpr double index_bytes = 8;      // max-pool's position of the maximum
constexpr double statistic_bytes = 4;  // batch norm computes in fp32 whatever the precision

std::int64_t slid_size(std::int64_t size, std::int64_t kernel, std::int64_t padding, const Window& window) {
  const std::int64_t room = size + 2 * padding - window.dilation * (kernel - 1) - 1;
  if (room < 0) return 0;
  std::int64_t count = (room + (window.round_up ? window.stride - 1 : 0)) / window.stride + 1;
  // A window must start inside the input or its left padding.
  if (window.round_up && (count - 1) * window.stride >= size + padding) --count;
  return count;
}

}  // namespace

ConvolutionalWriter::ConvolutionalWriter(std::int64_t channels, std::int64_t height, std::int64_t width,
                                         std::int64_t depth) {
  image_ = fresh(channels, height, width, depth);
}

FeatureMap ConvolutionalWriter::fresh(std::int64_t channels, std::int64_t height, std::int64_t width,
                                      std::int64_t depth) {
  kept_.push_back(false);
  return {channels, height, width, kept_.size() - 1, depth};
}

FeatureMap ConvolutionalWriter::slid(const std::string& name, const FeatureMap& input, std::int64_t channels,
                                     const Window& window) {
  const std::int64_t height = slid_size(input.height, window.kernel_height, window.padding_height, window);
  const std::int64_t width = slid_size(input.width, window.kernel_width, window.padding_width, window);
  if (height < 1 || width < 1)
    throw InputError("image", fmt::format("an input of {} x {} at {}", input.height, input.width, name),
                     fmt::format("at least the kernel of {} x {}", window.kernel_height, window.kernel_width),
                     "use a larger image");
  const bool flat = input.depth == 1;
  const std::int64_t depth =
      flat ? 1 : slid_size(input.depth, window.kernel_height, window.padding_height, window);
  return fresh(channels, height, width, depth);
}

void ConvolutionalWriter::keep(Layer& layer, const FeatureMap& map) {
  if (kept_[map.tensor]) return;
  kept_[map.tensor] = true;
  layer.saved_elements += map.elements();
}

void ConvolutionalWriter::register_convolution(const std::string& name, std::int64_t inputs,
                                               std::int64_t outputs, const Window& window,
                                               std::int64_t groups, bool bias) {
  writer_.parameter(name + ".weight",
                    outputs * (inputs / groups) * window.kernel_height * window.kernel_width);
  if (bias) writer_.parameter(name + ".bias", outputs);
}

FeatureMap ConvolutionalWriter::convolution(const std::string& name, const FeatureMap& input,
                                            std::int64_t outputs, const Window& window, std::int64_t groups,
                                            bool bias) {
  const FeatureMap output = slid(name, input, outputs, window);
  Convolution convolution;
  convolution.input_channels = input.channels;
  convolution.output_channels = outputs;
  convolution.input_height = input.height;
  convolution.input_width = input.width;
  convolution.output_height = output.height;
  convolution.output_width = output.width;
  convolution.kernel_height = window.kernel_height;
  convolution.kernel_width = window.kernel_width;
  convolution.stride = window.stride;
  convolution.groups = groups;
  convolution.first = input.tensor == image_.tensor;
  convolution.input_depth = input.depth;
  convolution.output_depth = output.depth;
  if (input.depth > 1) convolution.kernel_depth = window.kernel_height;

  if (!writer_.registered(name + ".weight"))
    register_convolution(name, input.channels * convolution.kernel_depth, outputs, window, groups, bias);
  keep(writer_.layer(name, convolution, {name + ".weight"}), input);
  if (bias) {
    // A kernel of its own: its backward is done before that of the weight.
    writer_.layer(name + ".bias", ElementWise{ElementWiseKind::bias, output.elements()}, {name + ".bias"});
  }
  add_modules(1);
  return output;
}

FeatureMap ConvolutionalWriter::batch_norm(const std::string& name, const FeatureMap& input) {
  if (frozen_) {
    const double moved = 2 * input.elements();
    writer_.layer(name, Traffic{"frozen norm", moved, moved});
    writer_.model().buffer_float_elements += 4 * static_cast<double>(input.channels);
    return fresh(input.channels, input.height, input.width, input.depth);
  }
  writer_.norm_parameters(name, input.channels);
  const ElementWise work{ElementWiseKind::batch_norm, input.elements()};
  Layer& layer = writer_.layer_with_own_parameters(name, work);
  keep(layer, input);
  layer.saved_bytes_per_call = 2 * statistic_bytes * static_cast<double>(input.channels);
  writer_.model().buffer_float_elements += 2 * static_cast<double>(input.channels);
  writer_.model().buffer_integer_count += 1;
  add_modules(1);
  return fresh(input.channels, input.height, input.width, input.depth);
}

FeatureMap ConvolutionalWriter::relu(const std::string& name, const FeatureMap& input) {
  keep(writer_.layer(name, ElementWise{ElementWiseKind::activation, input.elements()}), input);
  return input;
}

FeatureMap ConvolutionalWriter::swish(const std::string& name, const FeatureMap& input) {
  keep(writer_.layer(name, ElementWise{ElementWiseKind::swish, input.elements()}), input);
  return fresh(input.channels, input.height, input.width, input.depth);
}

FeatureMap ConvolutionalWriter::sigmoid(const std::string& name, const FeatureMap& input) {
  const FeatureMap output = fresh(input.channels, input.height, input.width, input.depth);
  keep(writer_.layer(name, ElementWise{ElementWiseKind::activation, input.elements()}), output);
  return output;
}

FeatureMap ConvolutionalWriter::add(const std::string& name, const FeatureMap& into, const FeatureMap&) {
  writer_.layer(name, ElementWise{ElementWiseKind::residual_add, into.elements()});
  return into;
}

FeatureMap ConvolutionalWriter::max_pool(const std::string& name, const FeatureMap& input,
                                         const Window& window) {
  const FeatureMap output = slid(name, input, input.channels, window);
  const ElementWise work{ElementWiseKind::pooling, output.elements(), input.elements()};
  Layer& layer = writer_.layer(name, work);
  keep(layer, input);
  layer.saved_bytes = index_bytes * output.elements();
  return output;
}

FeatureMap ConvolutionalWriter::average_pool(const std::string& name, const FeatureMap& input,
                                             const Window& window) {
  const FeatureMap output = slid(name, input, input.channels, window);
  const ElementWise work{ElementWiseKind::pooling, output.elements(), input.elements()};
  keep(writer_.layer(name, work), input);
  return output;
}

FeatureMap ConvolutionalWriter::average_pool_to(const std::string& name, const FeatureMap& input,
                                                std::int64_t size) {
  const FeatureMap output = fresh(input.channels, size, size);
  const ElementWise work{ElementWiseKind::pooling, output.elements(), input.elements()};
  keep(writer_.layer(name, work), input);
  return output;
}

FeatureMap ConvolutionalWriter::concat(const std::string& name, const std::vector<FeatureMap>& inputs) {
  std::int64_t channels = 0;
  for (const FeatureMap& input : inputs) channels += input.channels;
  const FeatureMap& first = inputs.front();
  const FeatureMap output = fresh(channels, first.height, first.width, first.depth);
  writer_.layer(name, ElementWise{ElementWiseKind::concat, output.elements(), output.elements()});
  return output;
}

FeatureMap ConvolutionalWriter::channel_scale(const std::string& name, const FeatureMap& input,
                                              const FeatureMap& gate) {
  Layer& layer = writer_.layer(name, ElementWise{ElementWiseKind::channel_scale, input.elements()});
  keep(layer, input);
  keep(layer, gate);
  return fresh(input.channels, input.height, input.width, input.depth);
}

FeatureMap ConvolutionalWriter::dropout(const std::string& name, const FeatureMap& input) {
  // Read and written once, with a mask of one byte; backward reads the mask again.
  const double moved = 2.25 * input.elements();
  writer_.layer(name, Traffic{"dropout", moved, moved}).saved_bytes = input.elements();
  return fresh(input.channels, input.height, input.width, input.depth);
}

FeatureMap ConvolutionalWriter::linear(const std::string& name, const FeatureMap& input,
                                       std::int64_t outputs) {
  const auto inputs = static_cast<std::int64_t>(input.elements());
  writer_.linear_parameters(name, inputs, outputs);
  Layer& layer = writer_.layer_with_own_parameters(name, Linear{1, inputs, outputs});
  keep(layer, input);
  add_modules(1);
  return fresh(outputs, 1, 1);
}

Model ConvolutionalWriter::finish(double output_elements) {
  constexpr double fp32_bytes = 4;
  Model& model = writer_.model();
  model.family = ModelFamily::convolutional;
  model.input_bytes = fp32_bytes * image_.elements();
  model.output_elements = output_elements;
  return writer_.finish();
}

}  // namespace paceline
