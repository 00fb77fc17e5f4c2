#include "sim/model/resnet_blocks.h"

#include <fmt/format.h>

namespace paceline {

FeatureMap ResNetBlocks::stage(const std::string& name, FeatureMap map, std::int64_t planes,
                               std::int64_t blocks, std::int64_t stride) {
  for (std::int64_t index = 0; index < blocks; ++index)
    map = block(fmt::format("{}.{}", name, index), map, planes, index == 0 ? stride : 1);
  writer_.add_modules(1);
  return map;
}

FeatureMap ResNetBlocks::block(const std::string& name, const FeatureMap& input, std::int64_t planes,
                               std::int64_t stride) {
  const std::int64_t outputs = spec_.bottleneck ? 4 * planes : planes;
  FeatureMap main =
      spec_.bottleneck ? bottleneck(name, input, planes, stride) : basic(name, input, planes, stride);
  if (spec_.squeeze_excite) main = squeeze_excite(name + ".squeeze", main);
  FeatureMap shortcut = input;
  if (stride != 1 || input.channels != outputs) {
    const FeatureMap projected =
        writer_.convolution(name + ".downsample.0", input, outputs, Window::valid(1, stride));
    shortcut = writer_.batch_norm(name + ".downsample.1", projected);
    writer_.add_modules(1);
  }
  writer_.add_modules(2);  // the block and its ReLU, one module used several times
  return writer_.relu(name + ".relu", writer_.add(name + ".add", main, shortcut));
}

FeatureMap ResNetBlocks::bottleneck(const std::string& name, const FeatureMap& input, std::int64_t planes,
                                    std::int64_t stride) {
  const std::int64_t width = planes * spec_.width_per_group / 64 * spec_.groups;
  const std::int64_t first_stride = spec_.stride_in_first ? stride : 1;
  FeatureMap map = writer_.convolution(name + ".conv1", input, width, Window::valid(1, first_stride));
  map = writer_.relu(name + ".relu1", writer_.batch_norm(name + ".bn1", map));
  const Window window = Window::same(3, spec_.stride_in_first ? 1 : stride);
  map = writer_.convolution(name + ".conv2", map, width, window, spec_.groups);
  map = writer_.relu(name + ".relu2", writer_.batch_norm(name + ".bn2", map));
  map = writer_.convolution(name + ".conv3", map, 4 * planes, Window::valid(1));
  return writer_.batch_norm(name + ".bn3", map);
}

FeatureMap ResNetBlocks::basic(const std::string& name, const FeatureMap& input, std::int64_t planes,
                               std::int64_t stride) {
  FeatureMap map = writer_.convolution(name + ".conv1", input, planes, Window::same(3, stride));
  map = writer_.relu(name + ".relu1", writer_.batch_norm(name + ".bn1", map));
  map = writer_.convolution(name + ".conv2", map, planes, Window::same(3));
  return writer_.batch_norm(name + ".bn2", map);
}

FeatureMap ResNetBlocks::squeeze_excite(const std::string& name, const FeatureMap& input) {
  constexpr std::int64_t ratio = 16;
  FeatureMap gate = writer_.average_pool_to(name + ".pool", input, 1);
  gate = writer_.linear(name + ".squeeze", gate, input.channels / ratio);
  gate = writer_.relu(name + ".activation", gate);
  gate = writer_.linear(name + ".expand", gate, input.channels);
  gate = writer_.sigmoid(name + ".scale_activation", gate);
  writer_.add_modules(3);  // itself, ReLU, sigmoid
  return writer_.channel_scale(name + ".scale", input, gate);
}

}  // namespace paceline
