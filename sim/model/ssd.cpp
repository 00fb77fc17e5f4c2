// SSD with the first three stages of ResNet-50 as its backbone (Liu et al. 2015), as in NVIDIA's
// DeepLearningExamples: the third stage keeps the resolution of the second, five more blocks, a pair of heads
// on each of the six maps.
#include <fmt/format.h>

#include <array>

#include "sim/model/builders.h"
#include "sim/model/resnet_blocks.h"

namespace paceline {
namespace {

struct ExtraBlock {
  std::int64_t middle, outputs;
  bool halves;  // else a 3x3 window without padding
};
constexpr std::array<ExtraBlock, 5> extra_blocks{
    {{256, 512, true}, {256, 512, true}, {128, 256, true}, {128, 256, false}, {128, 256, false}}};
constexpr std::array<std::int64_t, 6> anchors{4, 6, 6, 6, 4, 4};  // of a position of each map
constexpr std::int64_t box_values = 4;

class Ssd {
 public:
  explicit Ssd(const SsdSpec& spec) : spec_(spec), writer_(3, spec.image, spec.image) {}

  Model build() {
    maps_.push_back(backbone());
    for (std::size_t index = 0; index < extra_blocks.size(); ++index)
      maps_.push_back(extra_block(fmt::format("additional_blocks.{}", index), extra_blocks[index]));
    register_heads();
    for (std::size_t index = 0; index < maps_.size(); ++index) heads(index);
    writer_.concat("loc.concat", boxes_);
    writer_.concat("conf.concat", labels_);
    // The net, the backbone with its Sequential, the lists of blocks and of both heads.
    writer_.add_modules(6);
    return writer_.finish(outputs_);
  }

 private:
  FeatureMap backbone() {
    const ResNetSpec resnet50;
    const std::string name = "feature_extractor.feature_extractor.";
    FeatureMap map = writer_.convolution(name + "0", writer_.image(), 64, Window::same(7, 2));
    map = writer_.relu(name + "2", writer_.batch_norm(name + "1", map));
    map = writer_.max_pool(name + "3", map, Window::same(3, 2));
    writer_.add_modules(2);
    ResNetBlocks blocks(resnet50, writer_);
    map = blocks.stage(name + "4", map, 64, 3, 1);
    map = blocks.stage(name + "5", map, 128, 4, 2);
    return blocks.stage(name + "6", map, 256, 6, 1);
  }

  FeatureMap extra_block(const std::string& name, const ExtraBlock& block) {
    FeatureMap map = writer_.convolution(name + ".0", maps_.back(), block.middle, Window::valid(1));
    map = writer_.relu(name + ".2", writer_.batch_norm(name + ".1", map));
    map = writer_.convolution(name + ".3", map, block.outputs,
                              block.halves ? Window::same(3, 2) : Window::valid(3));
    writer_.add_modules(3);  // a Sequential and two ReLUs
    return writer_.relu(name + ".5", writer_.batch_norm(name + ".4", map));
  }

  // All box heads are registered before all label heads, but they run in pairs.
  void register_heads() {
    for (std::size_t index = 0; index < maps_.size(); ++index)
      writer_.register_convolution(fmt::format("loc.{}", index), maps_[index].channels,
                                   anchors[index] * box_values, Window::same(3), 1, true);
    for (std::size_t index = 0; index < maps_.size(); ++index)
      writer_.register_convolution(fmt::format("conf.{}", index), maps_[index].channels,
                                   anchors[index] * spec_.classes, Window::same(3), 1, true);
  }

  void heads(std::size_t index) {
    const FeatureMap& map = maps_[index];
    boxes_.push_back(head(fmt::format("loc.{}", index), map, anchors[index] * box_values));
    labels_.push_back(head(fmt::format("conf.{}", index), map, anchors[index] * spec_.classes));
  }

  // Flat, so that maps of several sizes can be joined.
  FeatureMap head(const std::string& name, const FeatureMap& map, std::int64_t channels) {
    FeatureMap output = writer_.convolution(name, map, channels, Window::same(3), 1, true);
    outputs_ += output.elements();
    output.channels *= output.height * output.width;
    output.height = output.width = 1;
    return output;
  }

  const SsdSpec& spec_;
  ConvolutionalWriter writer_;
  std::vector<FeatureMap> maps_, boxes_, labels_;
  double outputs_ = 0;
};

}  // namespace

Model build_ssd(const SsdSpec& spec) { return Ssd(spec).build(); }

}  // namespace paceline
