// RetinaNet on ResNet-50 or ResNeXt-50 with a feature pyramid (Lin et al. 2017), registered as torchvision's
// retinanet_resnet50_fpn: norms of the backbone frozen, two heads of four convolutions shared by five maps.
#include <fmt/format.h>

#include <array>

#include "sim/model/builders.h"
#include "sim/model/resnet_blocks.h"

namespace paceline {
namespace {

constexpr std::int64_t width = 256;  // channels of the pyramid
constexpr std::int64_t anchors = 9;  // of a position
constexpr std::int64_t box_values = 4;

class RetinaNet {
 public:
  explicit RetinaNet(const RetinaNetSpec& spec) : spec_(spec), writer_(3, spec.image, spec.image) {}

  Model build() {
    writer_.freeze_norms();
    pyramid(backbone());
    heads();
    writer_.add_modules(30);
    return writer_.finish(outputs_);
  }

 private:
  std::array<FeatureMap, 3> backbone() {
    ResNetSpec resnet;
    resnet.groups = spec_.groups;
    resnet.width_per_group = spec_.width_per_group;
    FeatureMap map = writer_.convolution("backbone.body.conv1", writer_.image(), 64, Window::same(7, 2));
    map = writer_.relu("backbone.body.relu", writer_.batch_norm("backbone.body.bn1", map));
    map = writer_.max_pool("backbone.body.maxpool", map, Window::same(3, 2));
    ResNetBlocks blocks(resnet, writer_);
    std::array<FeatureMap, 3> stages;
    map = blocks.stage("backbone.body.layer1", map, 64, 3, 1);
    stages[0] = blocks.stage("backbone.body.layer2", map, 128, 4, 2);
    stages[1] = blocks.stage("backbone.body.layer3", stages[0], 256, 6, 2);
    stages[2] = blocks.stage("backbone.body.layer4", stages[1], 512, 3, 2);
    return stages;
  }

  FeatureMap convolution(const std::string& name, const FeatureMap& map, const Window& window) {
    return writer_.convolution("backbone.fpn." + name, map, width, window, 1, true);
  }

  // From the smallest map upwards: a 1x1 convolution, plus the enlarged map above, then a 3x3 convolution;
  // two further maps of half the side each.
  void pyramid(const std::array<FeatureMap, 3>& stages) {
    FeatureMap smallest;
    for (std::size_t level = stages.size(); level-- > 0;) {
      FeatureMap map = convolution(fmt::format("inner{}", level), stages[level], Window::valid(1));
      if (level + 1 < stages.size()) map = writer_.add(fmt::format("backbone.fpn.add{}", level), map, map);
      map = convolution(fmt::format("layer{}", level), map, Window::same(3));
      if (level + 1 == stages.size()) smallest = map;
      count(map);
    }
    const FeatureMap next = convolution("p6", smallest, Window::same(3, 2));
    count(next);
    count(convolution("p7", writer_.relu("backbone.fpn.p6.relu", next), Window::same(3, 2)));
  }

  void count(const FeatureMap& map) { positions_ += map.height * map.width; }

  // The five maps stand under one another as one tall map.
  void heads() {
    const FeatureMap maps = writer_.fresh(width, positions_, 1);
    head("head.classification", maps, anchors * spec_.classes);
    head("head.regression", maps, anchors * box_values);
    const double logits = outputs_;
    writer_.writer().layer("loss", Traffic{"focal loss", 5 * logits, 4 * logits, 14, 12}).saved_elements =
        2 * logits;
  }

  void head(const std::string& name, FeatureMap map, std::int64_t outputs) {
    for (int index = 0; index < 4; ++index) {
      const std::string part = fmt::format("{}.conv.{}", name, index);
      map = writer_.relu(part + ".relu", writer_.convolution(part, map, width, Window::same(3), 1, true));
    }
    outputs_ += writer_.convolution(name + ".output", map, outputs, Window::same(3), 1, true).elements();
  }

  const RetinaNetSpec& spec_;
  ConvolutionalWriter writer_;
  std::int64_t positions_ = 0;
  double outputs_ = 0;
};

}  // namespace

Model build_retinanet(const RetinaNetSpec& spec) { return RetinaNet(spec).build(); }

}  // namespace paceline
