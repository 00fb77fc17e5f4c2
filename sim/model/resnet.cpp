// ResNet, ResNeXt and SE-ResNeXt (He et al. 2015, Xie et al. 2016, Hu et al. 2017), as torchvision registers
// them; the squeeze-and-excite part as in NVIDIA's DeepLearningExamples.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

constexpr std::int64_t squeeze_ratio = 16;

class ResNet {
 public:
  explicit ResNet(const ResNetSpec& spec) : spec_(spec), writer_(3, spec.image, spec.image) {}

  Model build() {
    FeatureMap map = stem();
    for (std::size_t stage = 0; stage < spec_.blocks.size(); ++stage) map = this->stage(stage, map);
    map = writer_.average_pool_to("avgpool", map, 1);
    writer_.linear("fc", map, spec_.classes);
    // The net itself, ReLU, both poolings and the four stages.
    writer_.add_modules(4 + static_cast<std::int64_t>(spec_.blocks.size()));
    return writer_.finish(static_cast<double>(spec_.classes));
  }

 private:
  FeatureMap stem() {
    FeatureMap map = writer_.convolution("conv1", writer_.image(), 64, Window::same(7, 2));
    map = writer_.relu("relu", writer_.batch_norm("bn1", map));
    return writer_.max_pool("maxpool", map, Window::same(3, 2));
  }

  FeatureMap stage(std::size_t stage, FeatureMap map) {
    const std::int64_t planes = std::int64_t{64} << stage;
    for (std::int64_t block = 0; block < spec_.blocks[stage]; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      map = this->block(fmt::format("layer{}.{}", stage + 1, block), map, planes, stride);
    }
    return map;
  }

  FeatureMap block(const std::string& name, const FeatureMap& input, std::int64_t planes,
                   std::int64_t stride) {
    const std::int64_t outputs = spec_.bottleneck ? 4 * planes : planes;
    FeatureMap main =
        spec_.bottleneck ? bottleneck(name, input, planes, stride) : basic(name, input, planes, stride);
    if (spec_.squeeze_excite) main = squeeze_excite(name, main);
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

  FeatureMap bottleneck(const std::string& name, const FeatureMap& input, std::int64_t planes,
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

  FeatureMap basic(const std::string& name, const FeatureMap& input, std::int64_t planes,
                   std::int64_t stride) {
    FeatureMap map = writer_.convolution(name + ".conv1", input, planes, Window::same(3, stride));
    map = writer_.relu(name + ".relu1", writer_.batch_norm(name + ".bn1", map));
    map = writer_.convolution(name + ".conv2", map, planes, Window::same(3));
    return writer_.batch_norm(name + ".bn2", map);
  }

  FeatureMap squeeze_excite(const std::string& name, const FeatureMap& input) {
    const std::string part = name + ".squeeze";
    FeatureMap gate = writer_.average_pool_to(part + ".pool", input, 1);
    gate = writer_.linear(part + ".squeeze", gate, input.channels / squeeze_ratio);
    gate = writer_.relu(part + ".relu", gate);
    gate = writer_.linear(part + ".expand", gate, input.channels);
    gate = writer_.sigmoid(part + ".sigmoid", gate);
    writer_.add_modules(3);  // itself, ReLU, sigmoid
    return writer_.channel_scale(part + ".scale", input, gate);
  }

  const ResNetSpec& spec_;
  ConvolutionalWriter writer_;
};

}  // namespace

Model build_resnet(const ResNetSpec& spec) { return ResNet(spec).build(); }

}  // namespace paceline
