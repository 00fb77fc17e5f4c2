#include "sim/model/model_summary.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace paceline {
namespace {

constexpr Bytes single_precision(4);
constexpr Bytes half_precision(2);

const char* name_of(ElementWiseKind kind) {
  switch (kind) {
    case ElementWiseKind::batch_norm:
      return "batch norm";
    case ElementWiseKind::activation:
      return "activation";
    case ElementWiseKind::swish:
      return "swish";
    case ElementWiseKind::residual_add:
      return "residual add";
    case ElementWiseKind::bias:
      return "bias";
    case ElementWiseKind::concat:
      return "concat";
    case ElementWiseKind::channel_scale:
      return "channel scale";
    case ElementWiseKind::pooling:
      return "pooling";
  }
  return "";
}

const char* name_of(ConvolutionClass kind) {
  switch (kind) {
    case ConvolutionClass::winograd:
      return "convolution (Winograd)";
    case ConvolutionClass::dense:
      return "convolution";
    case ConvolutionClass::grouped:
      return "convolution (grouped)";
    case ConvolutionClass::depthwise:
      return "convolution (depthwise)";
  }
  return "";
}

// "25,557,032"
std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

struct KindOf {
  std::string operator()(const Convolution& work) const { return name_of(classify(work)); }
  std::string operator()(const Linear&) const { return "linear"; }
  std::string operator()(const BatchedGemm& work) const {
    return work.fused ? "attention product (fused)" : "attention product";
  }
  std::string operator()(const ElementWise& work) const { return name_of(work.kind); }
  std::string operator()(const Traffic& work) const { return work.what; }
  std::string operator()(const VocabularyLoss&) const { return "vocabulary loss"; }
  std::string operator()(const ExpertLinear&) const { return "experts, linear"; }
  std::string operator()(const Recurrent&) const { return "recurrent"; }
};

struct ShapeOf {
  std::string operator()(const Convolution& work) const {
    return fmt::format("{}x{}x{} -> {}x{}x{}, {}x{}/{}", work.input_channels, work.input_height,
                       work.input_width, work.output_channels, work.output_height, work.output_width,
                       work.kernel_height, work.kernel_width, work.stride);
  }
  std::string operator()(const Linear& work) const {
    return fmt::format("{} x {} -> {}", work.rows, work.inputs, work.outputs);
  }
  std::string operator()(const BatchedGemm& work) const {
    return fmt::format("{} x ({} x {} x {})", work.count, work.m, work.n, work.k);
  }
  std::string operator()(const ElementWise& work) const {
    return grouped(static_cast<std::int64_t>(work.elements));
  }
  std::string operator()(const Traffic&) const { return ""; }
  std::string operator()(const VocabularyLoss& work) const {
    return fmt::format("{} x {}", work.rows, work.vocabulary);
  }
  std::string operator()(const ExpertLinear& work) const {
    return fmt::format("{} x {} -> {}, {} experts", work.rows, work.inputs, work.outputs, work.experts);
  }
  std::string operator()(const Recurrent& work) const {
    return fmt::format("{} steps of {} -> {} x {}", work.steps * work.directions, work.hidden, work.gates,
                       work.hidden);
  }
};

std::string millions(double count) { return count == 0 ? "" : fmt::format("{:.3f}", count / 1e6); }

std::string moved_of(const Layer& layer, double Traffic::*direction) {
  const auto* traffic = std::get_if<Traffic>(&layer.work);
  return traffic ? millions(traffic->*direction) : "";
}

Bytes saved_of(const Layer& layer, Bytes element) {
  return layer.saved_elements * element + Bytes(layer.saved_bytes);
}

std::int64_t parameters_of(const Model& model, const Layer& layer) {
  std::int64_t count = 0;
  for (const std::size_t index : layer.parameters) count += model.parameters[index].elements;
  return count;
}

// How else a transformer's activations could be kept.
void add_activation_rows(const Model& model, Table& table) {
  const auto row = [&table](const char* what, Bytes bytes) {
    table.rows.push_back({what, to_string(bytes)});
  };
  row("  with eager attention", saved_per_sample(model, half_precision, KeptAttention::eager));
  row("  with fused attention", saved_per_sample(model, half_precision, KeptAttention::fused));
  row("  with attention recomputed", saved_per_sample(model, half_precision, KeptAttention::recomputed));
  row("  with blocks recomputed, fused attention",
      saved_with_blocks_recomputed(model, half_precision, KeptAttention::fused));
}

}  // namespace

Table totals_table(const Model& model) {
  Table table;
  table.columns = {{model.title, false}, {"", true}};
  const auto row = [&table](const char* what, const std::string& value) {
    table.rows.push_back({what, value});
  };
  const auto parameters = static_cast<double>(model.parameter_count());
  Bytes per_call;
  for (const Layer& layer : model.layers) per_call += Bytes(layer.saved_bytes_per_call);
  row("parameters", grouped(model.parameter_count()));
  if (model.active_parameter_count() < parameters)
    row("  active for a token", grouped(std::llround(model.active_parameter_count())));
  row("parameter tensors", grouped(static_cast<std::int64_t>(model.parameters.size())));
  row("parameters in fp32", to_string(parameters * single_precision));
  row("layers", grouped(static_cast<std::int64_t>(model.layers.size())));
  if (!model.blocks.empty()) row("blocks", grouped(static_cast<std::int64_t>(model.blocks.size())));
  if (model.sequence > 0) row("tokens a sample", grouped(model.sequence));
  row("forward multiply-adds a sample", fmt::format("{:.4g} G", model.forward_multiply_adds() / 1e9));
  row("forward and backward a sample", to_string(Flops(6 * model.forward_multiply_adds())));
  row("kept for backward a sample, fp32", to_string(saved_per_sample(model, single_precision)));
  row("kept for backward a sample, 16 bit", to_string(saved_per_sample(model, half_precision)));
  if (!model.blocks.empty()) add_activation_rows(model, table);
  row("kept for backward a call", to_string(per_call));
  row("input a sample", to_string(Bytes(model.input_bytes)));
  row("output elements a sample", grouped(static_cast<std::int64_t>(model.output_elements)));
  row("buffers", to_string(model.buffer_float_elements * single_precision));
  row("modules", grouped(model.modules));
  return table;
}

Table layer_table(const Model& model) {
  Table table;
  table.columns = {{"layer", false},        {"kind", false},       {"shape", false},
                   {"forward M MAC", true}, {"moved M fwd", true}, {"moved M bwd", true},
                   {"parameters", true},    {"kept B, fp32", true}};
  for (const Layer& layer : model.layers) {
    const std::int64_t parameters = parameters_of(model, layer);
    const auto saved = static_cast<std::int64_t>(saved_of(layer, single_precision).value());
    table.rows.push_back({layer.name, std::visit(KindOf{}, layer.work), std::visit(ShapeOf{}, layer.work),
                          millions(multiply_adds(layer)), moved_of(layer, &Traffic::forward_elements),
                          moved_of(layer, &Traffic::backward_elements),
                          parameters == 0 ? "" : grouped(parameters), saved == 0 ? "" : grouped(saved)});
  }
  return table;
}

}  // namespace paceline
