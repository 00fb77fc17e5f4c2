// Mask R-CNN on ResNet-50 with a feature pyramid, registered as torchvision's maskrcnn_resnet50_fpn: norms of
// the backbone frozen. All weights are trained here; torchvision's default leaves out the first two stages.
#include <fmt/format.h>

#include <array>

#include "sim/model/builders.h"
#include "sim/model/resnet_blocks.h"

namespace paceline {
namespace {

constexpr std::int64_t width = 256;  // channels of the pyramid
constexpr std::int64_t representation = 1024;
constexpr std::int64_t anchors = 3;  // of a position
constexpr std::int64_t box_side = 7, mask_side = 14;
constexpr double samples_a_bin = 4 * 4;  // points of a bin and their neighbours in bilinear interpolation

class MaskRcnn {
 public:
  explicit MaskRcnn(const MaskRcnnSpec& spec)
      : spec_(spec), writer_(3, spec.image, (spec.image * 5 + 2) / 3) {}

  Model build() {
    writer_.freeze_norms();
    pyramid(backbone());
    proposals();
    box_head();
    mask_head();
    writer_.add_modules(30);
    return writer_.finish(outputs_);
  }

 private:
  std::array<FeatureMap, 4> backbone() {
    const ResNetSpec resnet50;
    FeatureMap map = writer_.convolution("backbone.body.conv1", writer_.image(), 64, Window::same(7, 2));
    map = writer_.relu("backbone.body.relu", writer_.batch_norm("backbone.body.bn1", map));
    map = writer_.max_pool("backbone.body.maxpool", map, Window::same(3, 2));
    ResNetBlocks blocks(resnet50, writer_);
    constexpr std::array<std::int64_t, 4> depths{3, 4, 6, 3};
    std::array<FeatureMap, 4> stages;
    std::int64_t planes = 64;
    for (std::size_t stage = 0; stage < stages.size(); ++stage, planes *= 2) {
      map = blocks.stage(fmt::format("backbone.body.layer{}", stage + 1), map, planes, depths[stage],
                         stage == 0 ? 1 : 2);
      stages[stage] = map;
    }
    return stages;
  }

  // From the smallest map upwards: a 1x1 convolution, plus the enlarged map above, then a 3x3 convolution.
  void pyramid(const std::array<FeatureMap, 4>& stages) {
    for (const char* part : {"inner", "layer"})
      for (std::size_t level = 0; level < stages.size(); ++level)
        writer_.register_convolution(fmt::format("backbone.fpn.{}{}", part, level),
                                     part[0] == 'i' ? stages[level].channels : width, width,
                                     part[0] == 'i' ? Window::valid(1) : Window::same(3), 1, true);
    for (std::size_t level = stages.size(); level-- > 0;) {
      FeatureMap map = writer_.convolution(fmt::format("backbone.fpn.inner{}", level), stages[level], width,
                                           Window::valid(1), 1, true);
      if (level + 1 < stages.size()) map = writer_.add(fmt::format("backbone.fpn.add{}", level), map, map);
      maps_.push_back(writer_.convolution(fmt::format("backbone.fpn.layer{}", level), map, width,
                                          Window::same(3), 1, true));
    }
    maps_.push_back(writer_.max_pool("backbone.fpn.pool", maps_.front(), Window::valid(1, 2)));
  }

  // One head runs over the positions of all five maps: they stand under one another as one tall map.
  void proposals() {
    std::int64_t positions = 0;
    for (const FeatureMap& map : maps_) positions += map.height * map.width;
    FeatureMap map = writer_.fresh(width, positions, 1);
    writer_.register_convolution("rpn.head.conv", width, width, Window::same(3), 1, true);
    Convolution convolution;
    convolution.input_channels = convolution.output_channels = width;
    convolution.input_height = convolution.output_height = positions;
    convolution.input_width = convolution.output_width = 1;
    convolution.kernel_height = convolution.kernel_width = 3;
    writer_.keep(writer_.writer().layer("rpn.head.conv", convolution, {"rpn.head.conv.weight"}), map);
    writer_.writer().layer("rpn.head.conv.bias", ElementWise{ElementWiseKind::bias, map.elements()},
                           {"rpn.head.conv.bias"});
    map = writer_.relu("rpn.head.relu", writer_.fresh(width, positions, 1));
    const FeatureMap scores =
        writer_.convolution("rpn.head.cls_logits", map, anchors, Window::valid(1), 1, true);
    const FeatureMap boxes =
        writer_.convolution("rpn.head.bbox_pred", map, 4 * anchors, Window::valid(1), 1, true);
    const double moved = 4 * (scores.elements() + boxes.elements());
    writer_.writer().layer("rpn.select", Traffic{"proposals", moved, moved, 60, 30});
    outputs_ += scores.elements() + boxes.elements();
  }

  // Bilinear samples of the maps for each bin.
  FeatureMap cut(const std::string& name, std::int64_t regions, std::int64_t side) {
    const FeatureMap output = writer_.fresh(width, regions * side, side);
    const double moved = (samples_a_bin + 1) * output.elements();
    writer_.writer().layer(name, Traffic{"region align", moved, moved, 4, 4});
    return output;
  }

  void box_head() {
    const auto regions = static_cast<double>(spec_.boxes);
    cut("roi_heads.box_roi_pool", spec_.boxes, box_side);
    dense("roi_heads.box_head.fc6", regions, width * box_side * box_side, representation, true);
    dense("roi_heads.box_head.fc7", regions, representation, representation, true);
    dense("roi_heads.box_predictor.cls_score", regions, representation, spec_.classes, false);
    dense("roi_heads.box_predictor.bbox_pred", regions, representation, 4 * spec_.classes, false);
    const double logits = 5 * regions * static_cast<double>(spec_.classes);
    writer_.writer().layer("loss.boxes", Traffic{"loss", 3 * logits, 3 * logits, 8, 8}).saved_elements =
        logits;
    outputs_ += logits;
  }

  void dense(const std::string& name, double rows, std::int64_t inputs, std::int64_t outputs, bool active) {
    writer_.writer().linear_parameters(name, inputs, outputs);
    writer_.writer().linear(name, rows, inputs, outputs);
    if (active)
      writer_.writer().layer(name + ".relu",
                             ElementWise{ElementWiseKind::activation, rows * static_cast<double>(outputs)});
  }

  void mask_head() {
    FeatureMap map = cut("roi_heads.mask_roi_pool", spec_.masks, mask_side);
    for (int index = 1; index <= 4; ++index) {
      const std::string name = fmt::format("roi_heads.mask_head.mask_fcn{}", index);
      map = writer_.relu(name + ".relu", writer_.convolution(name, map, width, Window::same(3), 1, true));
    }
    map = writer_.up_convolution("roi_heads.mask_predictor.conv5_mask", map, width, 2);
    map = writer_.relu("roi_heads.mask_predictor.relu", map);
    map = writer_.convolution("roi_heads.mask_predictor.mask_fcn_logits", map, spec_.classes,
                              Window::valid(1), 1, true);
    outputs_ += map.elements();
  }

  const MaskRcnnSpec& spec_;
  ConvolutionalWriter writer_;
  std::vector<FeatureMap> maps_;
  double outputs_ = 0;
};

}  // namespace

Model build_mask_rcnn(const MaskRcnnSpec& spec) { return MaskRcnn(spec).build(); }

}  // namespace paceline
