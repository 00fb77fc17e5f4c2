// The kernels behind each kind of layer. Constants of bytes an element: what the operator must read and write
// once.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cost/gemm_work.h"
#include "sim/cost/kernel_cost.h"

namespace paceline {
namespace {

Kernel repeated(Kernel kernel, double times) {
  kernel.time *= times;
  kernel.work *= times;
  kernel.traffic *= times;
  return kernel;
}

struct Operands {
  double input = 0, output = 0, weights = 0;  // elements
};

Operands operands_of(const Convolution& conv, double batch) {
  return {batch * conv.input_elements(), batch * conv.output_elements(), conv.weights()};
}

}  // namespace

// Without channels-last layout, tensor-core kernels are wrapped in copies to and from it. A copy of
// `elements`.
void KernelCost::add_transposes(LayerCost& cost, const std::string& name, double elements) const {
  if (settings_.channels_last || settings_.precision == Precision::fp32) return;
  const Bytes bytes(library_.layout_transpose * elements * element_);
  cost.kernels.push_back({name + " layout", bytes / bandwidth_, Flops(0), bytes, Provenance::modelled});
}

LayerCost KernelCost::forward_of(const std::string& name, const Convolution& conv, double batch) const {
  const Operands size = operands_of(conv, batch);
  const Product shape{batch * conv.output_positions(), static_cast<double>(conv.output_channels),
                      static_cast<double>(conv.input_channels / conv.groups) * conv.window(), 1};
  LayerCost cost;
  add_transposes(cost, name, 2 * size.input + 2 * size.output);
  cost.kernels.push_back(
      convolution(name + " fprop", conv, shape, Bytes((size.input + size.output + size.weights) * element_)));
  return cost;
}

LayerCost KernelCost::backward_of(const std::string& name, const Convolution& conv, double batch) const {
  const Operands size = operands_of(conv, batch);
  const Bytes bytes((size.input + size.output + size.weights) * element_);
  LayerCost cost;
  add_transposes(cost, name, 4 * size.input + 4 * size.output);
  if (!conv.first) {
    const double positions = conv.input_elements() / static_cast<double>(conv.input_channels);
    const auto side = static_cast<double>(conv.stride);
    const double stride = conv.input_depth > 1 ? side * side * side : side * side;
    const Product data{batch * positions, static_cast<double>(conv.input_channels),
                       static_cast<double>(conv.output_channels / conv.groups) * conv.window() / stride, 1};
    cost.kernels.push_back(convolution(name + " dgrad", conv, data, bytes));
  }
  const Product weight{static_cast<double>(conv.output_channels),
                       static_cast<double>(conv.input_channels / conv.groups) * conv.window(),
                       batch * conv.output_positions(), 1};
  cost.kernels.push_back(convolution(name + " wgrad", conv, weight, bytes));
  return cost;
}

LayerCost KernelCost::forward_of(const std::string& name, const Linear& work, double batch) const {
  return {{linear(name + " gemm", {batch * work.rows, static_cast<double>(work.outputs),
                                   static_cast<double>(work.inputs), 1})},
          1};
}

LayerCost KernelCost::backward_of(const std::string& name, const Linear& work, double batch) const {
  const double rows = batch * work.rows;
  const auto inputs = static_cast<double>(work.inputs), outputs = static_cast<double>(work.outputs);
  LayerCost cost;
  if (work.input_needs_gradient) cost.kernels.push_back(linear(name + " dgrad", {rows, inputs, outputs, 1}));
  cost.kernels.push_back(linear(name + " wgrad", {outputs, inputs, rows, 1}));
  return cost;
}

// One grouped kernel: every expert has its rows rounded up to whole tiles, and all weights are read. The
// experts are taken as evenly loaded.
Kernel KernelCost::experts(const std::string& name, const ExpertLinear& work, double batch) const {
  const double rows = batch * work.rows, each = rows / static_cast<double>(work.experts);
  const auto n = static_cast<double>(work.outputs), k = static_cast<double>(work.inputs),
             used = std::min(rows, static_cast<double>(work.experts));
  const double least = quantised_gemm_work(std::max(each, 1.0), n, k, 1).value();
  const double elements = rows * k + used * k * n + rows * n;
  Kernel kernel =
      product(name, {rows, n, k, 1}, efficiency_.gemm, Flops(used * least), Bytes(elements * element_));
  return kernel;
}

LayerCost KernelCost::forward_of(const std::string& name, const ExpertLinear& work, double batch) const {
  return {{experts(name + " grouped gemm", work, batch)}, 1};
}

LayerCost KernelCost::backward_of(const std::string& name, const ExpertLinear& work, double batch) const {
  ExpertLinear transposed = work;
  std::swap(transposed.inputs, transposed.outputs);
  return {
      {experts(name + " grouped dgrad", transposed, batch), experts(name + " grouped wgrad", work, batch)},
      2};
}

// Each step waits for the one before it: its product runs alone, with the batch as its only rows.
LayerCost KernelCost::forward_of(const std::string& name, const Recurrent& work, double batch) const {
  const auto hidden = static_cast<double>(work.hidden);
  const double steps = static_cast<double>(work.steps * work.directions);
  Kernel kernel = linear(name + " steps", {batch, static_cast<double>(work.gates) * hidden, hidden, 1});
  return {{repeated(std::move(kernel), steps)}, 1};
}

LayerCost KernelCost::backward_of(const std::string& name, const Recurrent& work, double batch) const {
  const auto hidden = static_cast<double>(work.hidden);
  const double steps = static_cast<double>(work.steps * work.directions);
  const double gates = static_cast<double>(work.gates) * hidden;
  // The weight gradient is one product over all steps.
  return {{repeated(linear(name + " steps dgrad", {batch, hidden, gates, 1}), steps),
           linear(name + " wgrad", {gates, hidden, batch * steps, 1})},
          1};
}

// A fused kernel keeps the scores on chip and, when causal, skips the masked half of the tiles.
Kernel KernelCost::attention(const std::string& name, const Product& shape, const BatchedGemm& work,
                             double extra) const {
  double elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
  // The scores are the operand with both sides as long as the sequence.
  if (work.fused) elements -= static_cast<double>(work.m) * static_cast<double>(std::max(work.n, work.k));
  const double tiles = work.fused ? work.visible_share() : 1;
  const Flops flops(2 * shape.count * shape.m * shape.n * shape.k * tiles * extra);
  const double efficiency = library_.attention_efficiency[static_cast<std::size_t>(settings_.precision)];
  return product(name, shape, efficiency, flops, Bytes(shape.count * std::max(elements, 0.0) * element_));
}

LayerCost KernelCost::forward_of(const std::string& name, const BatchedGemm& work, double batch) const {
  const Product shape{static_cast<double>(work.m), static_cast<double>(work.n), static_cast<double>(work.k),
                      batch * work.count};
  return {{attention(name + " bmm", shape, work, 1)}, 1};
}

LayerCost KernelCost::backward_of(const std::string& name, const BatchedGemm& work, double batch) const {
  const auto m = static_cast<double>(work.m), n = static_cast<double>(work.n),
             k = static_cast<double>(work.k);
  const double count = batch * work.count;
  // Fused kernels compute the scores again: five products instead of four.
  const double extra = work.fused ? 1.25 : 1;
  return {{attention(name + " bmm dA", {m, k, n, count}, work, extra),
           attention(name + " bmm dB", {k, n, m, count}, work, extra)},
          1};
}

double KernelCost::element_wise_bytes(const ElementWise& work, bool backward) const {
  const double traffic = framework_.convolutional_traffic *
                         (is_mixed(settings_.precision) ? framework_.mixed_precision_traffic : 1);
  const bool fused = framework_.fused;
  switch (work.kind) {
    case ElementWiseKind::batch_norm:
      return traffic * (backward ? 5 : 3) * work.elements;
    case ElementWiseKind::activation:
      return fused ? 0 : traffic * (backward ? 3 : 2) * work.elements;
    case ElementWiseKind::swish:
      return (fused ? library_.fused_swish : 1) * traffic * (backward ? 3 : 2) * work.elements;
    case ElementWiseKind::residual_add:
      return (fused ? library_.fused_add : 1) * traffic * 3 * work.elements;
    case ElementWiseKind::channel_scale:
      return traffic * (backward ? 6 : 3) * work.elements;
    case ElementWiseKind::bias:
      return fused ? 0 : (backward ? 1 : 2) * work.elements;
    case ElementWiseKind::concat:
      return 2 * work.elements;
    case ElementWiseKind::pooling:
      return backward ? 2 * work.input_elements + work.elements : work.input_elements + work.elements;
  }
  return 0;
}

LayerCost KernelCost::forward_of(const std::string& name, const ElementWise& work, double batch) const {
  const double elements = element_wise_bytes(work, false);
  if (elements == 0) return {{}, 0};
  return {{memory_bound(name, Bytes(batch * elements * element_), library_.kernel_overhead)}, 1};
}

LayerCost KernelCost::backward_of(const std::string& name, const ElementWise& work, double batch) const {
  const double elements = element_wise_bytes(work, true);
  if (elements == 0) return {{}, 0};
  return {{memory_bound(name + " backward", Bytes(batch * elements * element_), library_.backward_overhead)},
          1};
}

LayerCost KernelCost::forward_of(const std::string& name, const Traffic& work, double batch) const {
  if (work.forward_elements == 0) return {{}, work.forward_kernels};
  const double factor = framework_.transformer_traffic *
                        (is_mixed(settings_.precision) ? framework_.mixed_precision_traffic : 1);
  const Bytes bytes(factor * batch * work.forward_elements * element_);
  return {{memory_bound(name, bytes, library_.kernel_overhead)}, work.forward_kernels};
}

LayerCost KernelCost::backward_of(const std::string& name, const Traffic& work, double batch) const {
  if (work.backward_elements == 0) return {{}, work.backward_kernels};
  const double factor = framework_.transformer_traffic *
                        (is_mixed(settings_.precision) ? framework_.mixed_precision_traffic : 1);
  const Bytes bytes(factor * batch * work.backward_elements * element_);
  return {{memory_bound(name + " backward", bytes, library_.backward_overhead)}, work.backward_kernels};
}

// Logits are read in the compute precision, log-softmax is kept in 32 bit: (e + 8) bytes an element each way.
LayerCost KernelCost::forward_of(const std::string& name, const VocabularyLoss& work, double batch) const {
  const Bytes bytes(batch * work.rows * static_cast<double>(work.vocabulary) * (element_ + 8));
  return {{memory_bound(name, bytes, library_.kernel_overhead)}, 2};
}

LayerCost KernelCost::backward_of(const std::string& name, const VocabularyLoss& work, double batch) const {
  const Bytes bytes(batch * work.rows * static_cast<double>(work.vocabulary) * (8 + element_));
  return {{memory_bound(name + " backward", bytes, library_.backward_overhead)}, 2};
}

}  // namespace paceline
