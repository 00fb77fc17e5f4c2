// Layers of segmentation nets: transposed convolutions and norms over one sample.
#include "sim/model/convolutional_writer.h"

namespace paceline {

FeatureMap ConvolutionalWriter::instance_norm(const std::string& name, const FeatureMap& input) {
  writer_.norm_parameters(name, input.channels);
  const ElementWise work{ElementWiseKind::batch_norm, input.elements()};
  Layer& layer = writer_.layer_with_own_parameters(name, work);
  keep(layer, input);
  constexpr double fp32_bytes = 4;  // mean and inverse deviation of each channel
  layer.saved_bytes = 2 * fp32_bytes * static_cast<double>(input.channels);
  add_modules(1);
  return fresh(input.channels, input.height, input.width, input.depth);
}

// The product of every input position with factor^dimensions x outputs columns: a 1x1 convolution whose
// outputs are then placed side by side.
FeatureMap ConvolutionalWriter::up_convolution(const std::string& name, const FeatureMap& input,
                                               std::int64_t outputs, std::int64_t factor) {
  const bool flat = input.depth == 1;
  const std::int64_t spread = flat ? factor * factor : factor * factor * factor;
  writer_.parameter(name + ".weight", input.channels * outputs * spread);
  writer_.parameter(name + ".bias", outputs);
  Convolution product;
  product.input_channels = input.channels;
  product.output_channels = outputs * spread;
  product.input_height = product.output_height = input.height;
  product.input_width = product.output_width = input.width;
  product.input_depth = product.output_depth = input.depth;
  keep(writer_.layer(name, product, {name + ".weight"}), input);
  const FeatureMap output =
      fresh(outputs, input.height * factor, input.width * factor, flat ? 1 : input.depth * factor);
  writer_.layer(name + ".bias", ElementWise{ElementWiseKind::bias, output.elements()}, {name + ".bias"});
  add_modules(1);
  return output;
}

}  // namespace paceline
