// The feed-forward part of transformer blocks: dense, gated, or a mixture of experts.
#include "sim/model/transformer_blocks.h"

namespace paceline {
namespace {

constexpr double fp32_bytes = 4;

}  // namespace

void TransformerBlocks::register_feed_forward(const std::string& name, std::int64_t hidden,
                                              const FeedForwardSpec& spec) {
  if (spec.gated) writer_.linear_parameters(name + ".gate_proj", hidden, spec.width, spec.bias);
  writer_.linear_parameters(name + ".up_proj", hidden, spec.width, spec.bias);
  writer_.linear_parameters(name + ".down_proj", spec.width, hidden, spec.bias);
}

// The experts of a layer stand as one tensor each for their two products, as grouped kernels want them.
void TransformerBlocks::register_experts(const std::string& name, std::int64_t hidden,
                                         const ExpertSpec& spec) {
  const double share = static_cast<double>(spec.chosen) / static_cast<double>(spec.experts);
  writer_.linear_parameters(name + ".router", hidden, spec.experts, spec.bias);
  if (spec.correction) writer_.parameter(name + ".router.correction", spec.experts);
  const auto expert_tensor = [&](const std::string& part, std::int64_t elements) {
    writer_.parameter(name + part, spec.experts * elements);
    writer_.model().parameters.back().active_share = share;
  };
  expert_tensor(".experts.gate_up.weight", hidden * 2 * spec.width);
  if (spec.bias) expert_tensor(".experts.gate_up.bias", 2 * spec.width);
  expert_tensor(".experts.down.weight", spec.width * hidden);
  if (spec.bias) expert_tensor(".experts.down.bias", hidden);
  if (spec.shared_width > 0)
    register_feed_forward(name + ".shared_expert", hidden, {spec.shared_width, true, false});
  if (spec.shared_gate) writer_.linear_parameters(name + ".shared_expert_gate", hidden, 1, false);
}

void TransformerBlocks::feed_forward(const std::string& name, std::int64_t hidden,
                                     const FeedForwardSpec& spec, bool keeps_input) {
  const double width = stream(spec.width);
  Layer& first =
      linear(name + (spec.gated ? ".gate_proj" : ".up_proj"), tokens(), hidden, spec.width, Split::outputs);
  if (!keeps_input) first.saved_elements = 0;
  if (spec.gated) {
    linear(name + ".up_proj", tokens(), hidden, spec.width, Split::outputs).saved_elements = 0;
    Layer& gate = writer_.layer(name + ".swiglu", Traffic{"swiglu", 5 * width, 8 * width, 2, 3});
    gate.saved_elements = 2 * width;
    gate.split = Split::outputs;
  } else {
    Layer& activation =
        writer_.layer(name + ".activation", Traffic{"bias, gelu", 4 * width, 4 * width, 2, 2});
    activation.saved_elements = width;
    activation.split = Split::outputs;
  }
  linear(name + ".down_proj", tokens(), spec.width, hidden, Split::inputs);
}

// Router, permutation by expert, two grouped products around the gate, and the way back. The probability is
// applied together with the gate, so that the experts' outputs need not be kept.
void TransformerBlocks::experts(const std::string& name, std::int64_t hidden, const ExpertSpec& spec) {
  const double pairs = tokens() * static_cast<double>(spec.chosen);
  const double logits = tokens() * static_cast<double>(spec.experts);
  const double moved = pairs * static_cast<double>(hidden), width = pairs * static_cast<double>(spec.width);

  writer_.linear(name + ".router", tokens(), hidden, spec.experts);  // keeps the norm's output
  std::vector<std::string> steered;
  if (spec.correction) steered.push_back(name + ".router.correction");
  Layer& choice = writer_.layer(name + ".choice", Traffic{"router", 6 * logits, 6 * logits, 6, 6}, steered);
  choice.saved_bytes = 2 * fp32_bytes * logits + 2 * fp32_bytes * pairs;

  writer_.layer(name + ".permute", Traffic{"permute", 2 * moved, 2 * moved + stream(hidden), 2, 2}).split =
      Split::experts;
  const auto product = [&](const std::string& part, std::int64_t inputs, std::int64_t outputs) {
    Layer& layer =
        writer_.layer_with_own_parameters(name + part, ExpertLinear{pairs, spec.experts, inputs, outputs});
    layer.saved_elements = pairs * static_cast<double>(inputs);
    layer.split = Split::experts;
  };
  product(".experts.gate_up", hidden, 2 * spec.width);
  Layer& gate = writer_.layer(name + ".experts.swiglu", Traffic{"swiglu", 5 * width, 8 * width, 2, 3});
  gate.saved_elements = 2 * width;
  gate.split = Split::experts;
  product(".experts.down", spec.width, hidden);
  writer_.layer(name + ".combine", Traffic{"permute", moved + stream(hidden), moved + stream(hidden), 2, 2})
      .split = Split::experts;

  if (spec.shared_width > 0)
    feed_forward(name + ".shared_expert", hidden, {spec.shared_width, true, false}, false);
  if (spec.shared_gate) {
    linear(name + ".shared_expert_gate", tokens(), hidden, 1, Split::none).saved_elements = 0;
    writer_.layer(name + ".shared_scale", Traffic{"scale", 2 * stream(hidden), 4 * stream(hidden), 2, 3})
        .saved_elements = stream(hidden);
  }
}

}  // namespace paceline
