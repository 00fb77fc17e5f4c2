// EfficientNet (Tan and Le 2019), as torchvision registers it: inverted residuals with squeeze-and-excite and
// swish.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

struct Stage {
  std::int64_t expansion, kernel, stride, outputs, blocks;
};
constexpr std::array<Stage, 7> stages{{{1, 3, 1, 16, 1},
                                       {6, 3, 2, 24, 2},
                                       {6, 5, 2, 40, 2},
                                       {6, 3, 2, 80, 3},
                                       {6, 5, 1, 112, 3},
                                       {6, 5, 2, 192, 4},
                                       {6, 3, 1, 320, 1}}};

// To a multiple of 8, never more than a tenth down.
std::int64_t rounded_channels(double channels) {
  const std::int64_t rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(channels + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

class EfficientNet {
 public:
  explicit EfficientNet(const EfficientNetSpec& spec) : spec_(spec), writer_(3, spec.image, spec.image) {}

  Model build() {
    FeatureMap map = unit("features.0", writer_.image(), width(32), Window::same(3, 2), 1);
    for (std::size_t index = 0; index < stages.size(); ++index) map = stage(index, map);
    map = unit("features.8", map, 4 * map.channels, Window::valid(1), 1);
    map = writer_.dropout("classifier.0", writer_.average_pool_to("avgpool", map, 1));
    writer_.linear("classifier.1", map, spec_.classes);
    // The net, features with its seven stages, pooling, classifier, dropout.
    writer_.add_modules(12);
    return writer_.finish(static_cast<double>(spec_.classes));
  }

 private:
  [[nodiscard]] std::int64_t width(std::int64_t channels) const {
    return rounded_channels(static_cast<double>(channels) * spec_.width);
  }
  [[nodiscard]] std::int64_t depth(std::int64_t blocks) const {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(blocks) * spec_.depth));
  }

  // Convolution, batch norm, swish: a Sequential of three.
  FeatureMap unit(const std::string& name, const FeatureMap& input, std::int64_t outputs,
                  const Window& window, std::int64_t groups) {
    const FeatureMap map = writer_.convolution(name + ".0", input, outputs, window, groups);
    writer_.add_modules(2);
    return writer_.swish(name + ".2", writer_.batch_norm(name + ".1", map));
  }

  FeatureMap stage(std::size_t index, FeatureMap map) {
    const Stage& stage = stages[index];
    for (std::int64_t block = 0; block < depth(stage.blocks); ++block) {
      const Window window = Window::same(stage.kernel, block == 0 ? stage.stride : 1);
      map = inverted_residual(fmt::format("features.{}.{}", index + 1, block), map, stage, window);
    }
    return map;
  }

  FeatureMap inverted_residual(const std::string& name, const FeatureMap& input, const Stage& stage,
                               const Window& window) {
    const std::int64_t outputs = width(stage.outputs);
    const std::int64_t expanded = input.channels * stage.expansion;
    int position = 0;
    const auto part = [&] { return fmt::format("{}.block.{}", name, position++); };
    FeatureMap map = input;
    if (stage.expansion != 1) map = unit(part(), map, expanded, Window::valid(1), 1);
    map = unit(part(), map, expanded, window, expanded);
    map = squeeze_excite(part(), map, std::max<std::int64_t>(1, input.channels / 4));
    const std::string projection = part();
    map = writer_.convolution(projection + ".0", map, outputs, Window::valid(1));
    map = writer_.batch_norm(projection + ".1", map);
    writer_.add_modules(4);  // the block, its Sequential, the projection's, stochastic depth
    if (window.stride != 1 || input.channels != outputs) return map;
    return writer_.add(name + ".add", map, input);
  }

  FeatureMap squeeze_excite(const std::string& name, const FeatureMap& input, std::int64_t squeezed) {
    FeatureMap gate = writer_.average_pool_to(name + ".avgpool", input, 1);
    gate = writer_.convolution(name + ".fc1", gate, squeezed, Window::valid(1), 1, true);
    gate = writer_.swish(name + ".activation", gate);
    gate = writer_.convolution(name + ".fc2", gate, input.channels, Window::valid(1), 1, true);
    gate = writer_.sigmoid(name + ".scale_activation", gate);
    writer_.add_modules(4);  // itself, pooling, both activations
    return writer_.channel_scale(name + ".scale", input, gate);
  }

  const EfficientNetSpec& spec_;
  ConvolutionalWriter writer_;
};

}  // namespace

Model build_efficientnet(const EfficientNetSpec& spec) { return EfficientNet(spec).build(); }

}  // namespace paceline
