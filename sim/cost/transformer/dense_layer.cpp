#include "sim/cost/transformer/dense_layer.h"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

constexpr const char* core_name = "attention";

bool is_multiple(double bytes, double of) { return std::fmod(bytes, of) == 0; }

}  // namespace

bool is_core(const Kernel& kernel) { return kernel.name.starts_with(core_name); }

DenseLayer::DenseLayer(const TransformerRequest& request, const LayerContext& context)
    : request_(request),
      context_(context),
      fused_(context.attention.forward > FlopsPerSecond(0)),
      sequence_parallel_(context.parallel.degrees.tensor > 1 &&
                         context.parallel.sequence_parallel.value_or(context.rules.sequence_parallel)) {}

double DenseLayer::stream_tokens() const {
  return sequence_parallel_ ? context_.tokens / tensor() : context_.tokens;
}

LayerPart DenseLayer::norm(double hidden) const {
  LayerPart part = stream("norm", context_.rules.element_wise.norm, hidden);
  // The gradients of weight and bias are summed up by a kernel of their own.
  std::get<Kernel>(part.backward.steps.front()).time += context_.rules.element_wise.kernel;
  return part;
}

LayerPart DenseLayer::stream(const std::string& name, const Passes& passes, double hidden) const {
  const Bytes once(stream_tokens() * hidden * context_.element);
  LayerPart part;
  part.forward.add(element_wise(context_, name, once * passes.forward));
  part.backward.add(element_wise(context_, name + " gradient", once * passes.backward));
  return part;
}

// A rank's share of a linear layer. Rows of both its matrices are inputs or outputs long.
LayerPart DenseLayer::linear(const std::string& name, const LinearShape& shape) const {
  LayerPart part;
  add_linear(part, context_, name, shape);
  double factor = 1;
  for (const double row : {shape.inputs * context_.element, shape.outputs * context_.element}) {
    const AlignmentFactors& alignment = request_.rates.alignment;
    if (!is_multiple(row, 128)) factor = std::max(factor, alignment.below_128);
    if (!is_multiple(row, 16)) factor = std::max(factor, alignment.below_16);
  }
  for (Pass* pass : {&part.forward, &part.backward})
    for (PassStep& step : pass->steps)
      if (auto* kernel = std::get_if<Kernel>(&step); kernel && kernel->work > Flops(0))
        kernel->time *= factor;
  part.weight_gradients *= factor;
  return part;
}

LayerPart DenseLayer::column(const std::string& name, const LinearShape& whole) const {
  LayerPart part = linear(name, {whole.rows, whole.outputs / tensor(), whole.inputs});
  if (tensor() <= 1) return part;
  const TensorRules& rules = context_.rules.tensor;
  const auto& asked = context_.parallel.tensor_overlap;
  Cover beside;  // one product: of the input gradient, or of the weight gradient
  if (asked.value_or(rules.overlaps_weight_gradient) && rules.overlaps_weight_gradient)
    beside = {0, rules.covered, rules.slowdown, 1};
  else if (asked.value_or(rules.decomposed))
    beside = {rules.decomposed_exposed, 1, 0, whole_pass};
  auto& steps = part.backward.steps;
  const auto kind = sequence_parallel_ ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
  Exchange gradient = exchange(kind, whole.inputs, whole.rows);
  gradient.cover = beside;
  steps.insert(steps.end() - 1, gradient);
  if (!sequence_parallel_) return part;
  Exchange again = exchange(CollectiveKind::all_gather, whole.inputs, whole.rows);
  again.cover = beside;
  steps.insert(steps.end() - 3, again);  // beside the input gradient's product
  auto& forward = part.forward.steps;
  forward.insert(forward.begin(), exchange(CollectiveKind::all_gather, whole.inputs, whole.rows));
  return part;
}

LayerPart DenseLayer::row(const std::string& name, const LinearShape& whole) const {
  LayerPart part = linear(name, {whole.rows, whole.outputs, whole.inputs / tensor()});
  if (tensor() <= 1) return part;
  const auto kind = sequence_parallel_ ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
  part.forward.add(exchange(kind, whole.outputs, whole.rows));
  if (sequence_parallel_)
    part.backward.steps.insert(part.backward.steps.begin(),
                               exchange(CollectiveKind::all_gather, whole.outputs, whole.rows));
  return part;
}

Exchange DenseLayer::exchange(CollectiveKind kind, double hidden, double tokens) const {
  Exchange exchange;
  exchange.name = kind == CollectiveKind::all_reduce   ? "all-reduce tensor"
                  : kind == CollectiveKind::all_gather ? "all-gather tensor"
                                                       : "reduce-scatter tensor";
  exchange.kind = kind;
  exchange.group = GroupKind::tensor;
  exchange.message = Bytes(tokens * hidden * context_.element);
  exchange.factor = request_.rates.loaded_collectives.factor;
  const TensorRules& rules = context_.rules.tensor;
  if (context_.parallel.tensor_overlap.value_or(rules.decomposed))
    exchange.cover = {rules.decomposed_exposed, 1, 0, whole_pass};
  return exchange;
}

LayerPart DenseLayer::exchanged(LayerPart part, double hidden) const {
  if (tensor() <= 1) return part;
  auto &forward = part.forward.steps, &backward = part.backward.steps;
  const auto last = sequence_parallel_ ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
  forward.push_back(exchange(last, hidden, context_.tokens));
  backward.push_back(exchange(last, hidden, context_.tokens));
  if (!sequence_parallel_) return part;
  for (auto* steps : {&forward, &backward})
    steps->insert(steps->begin(), exchange(CollectiveKind::all_gather, hidden, context_.tokens));
  return part;
}

LayerPart DenseLayer::feed_forward(std::int64_t hidden, std::int64_t width, bool gated) const {
  const auto inner = static_cast<double>(width), outer = static_cast<double>(hidden);
  LayerPart part = column("mlp up", {context_.tokens, gated ? 2 * inner : inner, outer});
  const ElementWiseRules& rules = context_.rules.element_wise;
  const Passes& passes = gated ? rules.gated_activation : rules.activation;
  const Bytes once(context_.tokens * inner / tensor() * context_.element);
  LayerPart activation;
  activation.forward.add(element_wise(context_, "activation", once * passes.forward));
  activation.backward.add(element_wise(context_, "activation gradient", once * passes.backward));
  part.append(activation);
  part.append(row("mlp down", {context_.tokens, outer, inner}));
  return part;
}

}  // namespace paceline
