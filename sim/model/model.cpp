#include "sim/model/model.h"

namespace paceline {
namespace {

double work_of(const Convolution& conv) {
  return static_cast<double>(conv.output_height * conv.output_width * conv.output_channels) *
         static_cast<double>(conv.input_channels / conv.groups * conv.kernel_height * conv.kernel_width);
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

}  // namespace

ConvolutionClass classify(const Convolution& convolution) {
  constexpr std::int64_t winograd_channels = 16;
  if (convolution.groups > 1)
    return convolution.groups == convolution.input_channels ? ConvolutionClass::depthwise
                                                            : ConvolutionClass::grouped;
  const bool suits = convolution.kernel_height >= 3 && convolution.kernel_width >= 3 &&
                     convolution.stride == 1 && convolution.input_channels >= winograd_channels;
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

double Model::forward_multiply_adds() const {
  double sum = 0;
  for (const Layer& layer : layers) sum += multiply_adds(layer);
  return sum;
}

}  // namespace paceline
