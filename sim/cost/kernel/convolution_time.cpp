#include "sim/cost/kernel/convolution_time.h"

namespace paceline {
namespace {

double product_of(std::initializer_list<std::int64_t> sizes) {
  double product = 1;
  for (const std::int64_t size : sizes) product *= static_cast<double>(size);
  return product;
}

// The constants of a kernel library know no fp8, which convolutions do not have.
std::size_t library_index(NumberFormat format) {
  switch (format) {
    case NumberFormat::fp32:
      return static_cast<std::size_t>(Precision::fp32);
    case NumberFormat::tf32:
      return static_cast<std::size_t>(Precision::tf32);
    default:
      return static_cast<std::size_t>(Precision::fp16);
  }
}

}  // namespace

GemmShape implicit_product(const Convolution& conv, double batch, ConvolutionPass pass, NumberFormat format) {
  const double area = product_of({conv.kernel_height, conv.kernel_width});
  const double pixels_in = batch * product_of({conv.input_height, conv.input_width});
  const double pixels_out = batch * product_of({conv.output_height, conv.output_width});
  const auto groups = static_cast<double>(conv.groups);
  const double in = static_cast<double>(conv.input_channels) / groups,
               out = static_cast<double>(conv.output_channels) / groups;
  GemmShape shape;
  shape.batch = groups;
  shape.element = operand_bytes(format);
  shape.output = result_bytes(format);
  const double stride = product_of({conv.stride, conv.stride});
  switch (pass) {
    case ConvolutionPass::forward:
      shape.m = pixels_out, shape.n = out, shape.k = in * area;
      break;
    case ConvolutionPass::data_gradient:
      shape.m = pixels_in, shape.n = in, shape.k = out * area / stride;
      break;
    case ConvolutionPass::weight_gradient:
      shape.m = out, shape.n = in * area, shape.k = pixels_out;
      break;
  }
  const double elements = groups * (pixels_in * in + pixels_out * out + out * in * area);
  shape.traffic = Bytes(shape.element * elements);
  return shape;
}

Seconds convolution_time(const GemmRates& rates, int multiprocessors, const KernelLibrary& library,
                         const Convolution& conv, double batch, ConvolutionPass pass, NumberFormat format,
                         const GemmConditions& conditions) {
  const GemmShape shape = implicit_product(conv, batch, pass, format);
  const ConvolutionClass kind = classify(conv);
  if (kind == ConvolutionClass::depthwise)
    return shape.traffic * library.depthwise_traffic[library_index(format)] /
               (rates.memory - conditions.taken) +
           rates.start;
  GemmRates used = rates;
  if (kind == ConvolutionClass::winograd && format == NumberFormat::fp32)
    used.rate *= library.winograd_factor;
  return gemm_time(used, multiprocessors, shape, conditions).time;
}

}  // namespace paceline
