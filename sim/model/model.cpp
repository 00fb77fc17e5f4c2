#include "sim/model/model.h"

namespace paceline {
namespace {

double work_of(const Convolution& conv) {
  return conv.output_elements() * static_cast<double>(conv.input_channels / conv.groups) * conv.window();
}
double work_of(const Linear& linear) {
  return linear.rows * static_cast<double>(linear.inputs) * static_cast<double>(linear.outputs);
}
double work_of(const BatchedGemm& gemm) {
  return gemm.count * static_cast<double>(gemm.m * gemm.n) * static_cast<double>(gemm.k);
}
double work_of(const ElementWise&) { return 0; }
double work_of(const Traffic&) { return 0; }
double work_of(const VocabularyLoss&) { return 0; }
double work_of(const ExpertLinear& linear) {
  return linear.rows * static_cast<double>(linear.inputs) * static_cast<double>(linear.outputs);
}
double work_of(const Recurrent& work) {
  return static_cast<double>(work.steps * work.directions * work.gates) *
         static_cast<double>(work.hidden * work.hidden);
}

struct KindOf {
  LayerKind operator()(const Convolution&) const { return LayerKind::convolution; }
  LayerKind operator()(const Linear&) const { return LayerKind::linear; }
  LayerKind operator()(const BatchedGemm&) const { return LayerKind::attention; }
  LayerKind operator()(const ExpertLinear&) const { return LayerKind::experts; }
  LayerKind operator()(const Recurrent&) const { return LayerKind::recurrent; }
  LayerKind operator()(const VocabularyLoss&) const { return LayerKind::loss; }
  LayerKind operator()(const ElementWise& work) const {
    return work.kind == ElementWiseKind::batch_norm ? LayerKind::norm : LayerKind::element_wise;
  }
  LayerKind operator()(const Traffic& work) const {
    if (work.what.ends_with("norm")) return LayerKind::norm;
    if (work.what == "embedding") return LayerKind::embedding;
    if (work.what == "softmax") return LayerKind::attention;
    if (work.what == "router") return LayerKind::router;
    return work.what.ends_with("loss") || work.what.ends_with("error") ? LayerKind::loss
                                                                       : LayerKind::element_wise;
  }
};

}  // namespace

double Convolution::output_positions() const {
  return static_cast<double>(output_depth * output_height * output_width);
}
double Convolution::input_elements() const {
  return static_cast<double>(input_channels * input_depth * input_height * input_width);
}
double Convolution::output_elements() const {
  return static_cast<double>(output_channels) * output_positions();
}
double Convolution::window() const {
  return static_cast<double>(kernel_depth * kernel_height * kernel_width);
}
double Convolution::weights() const {
  return static_cast<double>(output_channels * (input_channels / groups)) * window();
}

// Of a square of side s the causal half is s^2 / 2 (whole tiles on the diagonal are neglected). A causal
// window of w keys leaves the first w rows their triangle and every further row w keys.
double BatchedGemm::visible_share() const {
  if (!causal) return 1;
  const auto side = static_cast<double>(m), width = static_cast<double>(window);
  if (window == 0 || window >= m) return 0.5;
  return width / side * (1 - width / (2 * side));
}

LayerKind kind_of(const Layer& layer) { return std::visit(KindOf{}, layer.work); }

ConvolutionClass classify(const Convolution& convolution) {
  constexpr std::int64_t winograd_channels = 16;
  if (convolution.groups > 1)
    return convolution.groups == convolution.input_channels ? ConvolutionClass::depthwise
                                                            : ConvolutionClass::grouped;
  const bool suits = convolution.kernel_depth == 1 && convolution.kernel_height >= 3 &&
                     convolution.kernel_width >= 3 && convolution.stride == 1 &&
                     convolution.input_channels >= winograd_channels;
  return suits ? ConvolutionClass::winograd : ConvolutionClass::dense;
}

double multiply_adds(const Layer& layer) {
  return std::visit([](const auto& work) { return work_of(work); }, layer.work);
}

std::int64_t Model::parameter_count() const {
  std::int64_t count = 0;
  for (const Parameter& parameter : parameters) count += parameter.elements;
  return count;
}

double Model::active_parameter_count() const {
  double count = 0;
  for (const Parameter& parameter : parameters)
    count += parameter.active_share * static_cast<double>(parameter.elements);
  return count;
}

double Model::forward_multiply_adds() const {
  double sum = 0;
  for (const Layer& layer : layers) sum += multiply_adds(layer);
  return sum;
}

}  // namespace paceline
