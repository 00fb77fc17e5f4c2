#include "sim/cost/transformer/layer_context.h"

#include <algorithm>
#include <utility>

namespace paceline {
namespace {

constexpr double accumulated_bytes = 8;  // a weight gradient added to fp32 in place: read and written

// Scales cost passes of their own, except those of blocks.
double cast_factor(const LayerContext& context) {
  const Fp8Rules& rules = context.rules.fp8;
  if (context.parallel.fp8 == Fp8Recipe::tensor) return rules.tensor_scaling;
  return context.parallel.fp8 == Fp8Recipe::row ? rules.row_casts : 1;
}

void extend(std::vector<PassStep>& steps, const std::vector<PassStep>& others) {
  steps.insert(steps.end(), others.begin(), others.end());
}

}  // namespace

void LayerPart::append(const LayerPart& next) {
  extend(forward.steps, next.forward.steps);
  extend(recompute.steps, next.recompute.steps);
  std::vector<PassStep> reversed = next.backward.steps;
  extend(reversed, backward.steps);
  backward.steps = std::move(reversed);
  forward.host += next.forward.host;
  recompute.host += next.recompute.host;
  backward.host += next.backward.host;
  weight_gradients += next.weight_gradients;
}

bool recomputes(const LayerContext& context, const std::string& module) {
  const std::vector<std::string>& modules = context.parallel.recompute_modules;
  return std::find(modules.begin(), modules.end(), module) != modules.end();
}

double input_cast_bytes(const LayerContext& context) {
  return context.rules.fp8.cast.forward * cast_factor(context);
}
double gradient_cast_bytes(const LayerContext& context) {
  return context.rules.fp8.cast.backward * cast_factor(context);
}
double weight_gradient_bytes(const LayerContext& context) {
  return context.rules.accumulates_in_product ? accumulated_bytes : context.element;
}

Kernel element_wise(const LayerContext& context, std::string name, Bytes bytes, double kernels) {
  const ElementWiseRules& rules = context.rules.element_wise;
  Kernel kernel;
  kernel.name = std::move(name);
  kernel.time = bytes / context.products.memory * rules.factor + rules.kernel * kernels;
  kernel.traffic = bytes;
  return kernel;
}

Kernel product(const LayerContext& context, std::string name, GemmShape shape, bool in_8_bit) {
  const bool eight = in_8_bit && context.products_in_8_bit;
  shape.element = eight ? 1 : context.element;
  const GemmRates& rates = eight ? *context.products_in_8_bit : context.products;
  Kernel kernel;
  kernel.name = std::move(name);
  kernel.time = gemm_time(rates, context.multiprocessors, shape, context.conditions).time;
  kernel.work = Flops(2 * shape.m * shape.n * shape.k * shape.batch);
  kernel.traffic =
      Bytes((shape.element * shape.k * (shape.m + shape.n) + shape.output * shape.m * shape.n) * shape.batch);
  return kernel;
}

void add_linear_forward(Pass& pass, const LayerContext& context, const std::string& name,
                        const LinearShape& shape) {
  if (context.products_in_8_bit)
    pass.add(
        element_wise(context, name + " cast", Bytes(input_cast_bytes(context) * shape.rows * shape.inputs)));
  pass.add(product(context, name, {shape.rows, shape.outputs, shape.inputs}, true));
}

void add_linear(LayerPart& part, const LayerContext& context, const std::string& name,
                const LinearShape& shape) {
  add_linear_forward(part.forward, context, name, shape);
  if (context.products_in_8_bit)
    part.backward.add(element_wise(context, name + " gradient cast",
                                   Bytes(gradient_cast_bytes(context) * shape.rows * shape.outputs)));
  part.backward.add(
      product(context, name + " input gradient", {shape.rows, shape.inputs, shape.outputs}, true));
  GemmShape weight{shape.outputs, shape.inputs, shape.rows};
  weight.output = weight_gradient_bytes(context);
  Kernel gradient = product(context, name + " weight gradient", weight, true);
  part.weight_gradients += gradient.time;
  part.backward.add(std::move(gradient));
}

}  // namespace paceline
