#include "sim/model/transformer_blocks.h"

namespace paceline {
namespace {

constexpr double statistic_bytes = 4;  // fp32 whatever the precision

AttentionShape shape_of(const AttentionSpec& spec, std::int64_t queries, std::int64_t keys, bool crosses) {
  AttentionShape shape;
  shape.heads = spec.heads;
  shape.key_value_heads = spec.latent ? spec.heads : spec.key_value_heads;
  shape.head_size = spec.score_size();
  shape.value_size = spec.value_size();
  if (spec.latent) {
    shape.query_rank = spec.latent->query_rank;
    shape.key_value_rank = spec.latent->key_value_rank;
    shape.rotary_size = spec.latent->rotary_size;
  }
  shape.queries = queries;
  shape.keys = keys;
  shape.causal = spec.causal && !crosses;
  shape.window = spec.window;
  shape.dropout = spec.dropout;
  shape.fused = spec.fused;
  return shape;
}

}  // namespace

void TransformerBlocks::register_norm(const std::string& name, const BlockSpec& spec, std::int64_t width) {
  writer_.norm_parameters(name, width, spec.norm == NormKind::layer && spec.norm_bias);
}

// Layer norm: one fused kernel. RMS norm: up-cast, square, mean, inverse root, product, down-cast, product
// with the weight: 6 passes, 10 backward.
void TransformerBlocks::write_norm(const std::string& name, const BlockSpec& spec, std::int64_t width) {
  const double elements = stream(width);
  const Traffic traffic = spec.norm == NormKind::layer
                              ? Traffic{"layer norm", 4 * elements, 7.25 * elements, 1, 2}
                              : Traffic{"rms norm", 6 * elements, 10 * elements, 8, 12};
  Layer& layer = writer_.layer_with_own_parameters(name, traffic);
  layer.saved_elements = elements;
  if (spec.norm == NormKind::rms) layer.saved_bytes = statistic_bytes * tokens();
}

Layer& TransformerBlocks::linear(const std::string& name, double rows, std::int64_t inputs,
                                 std::int64_t outputs, Split split) {
  Layer& layer = writer_.linear(name, rows, inputs, outputs);
  layer.split = split;
  return layer;
}

void TransformerBlocks::register_block(const std::string& name, const BlockSpec& spec, bool crosses) {
  register_attention(name + ".self_attn", spec, false);
  if (crosses) register_attention(name + ".cross_attn", spec, true);
  if (spec.experts)
    register_experts(name + ".mlp", spec.hidden, *spec.experts);
  else
    register_feed_forward(name + ".mlp", spec.hidden, spec.feed_forward);
  register_norm(name + ".input_layernorm", spec, spec.hidden);
  if (crosses) register_norm(name + ".cross_layernorm", spec, spec.hidden);
  if (!spec.parallel || spec.parallel_norms)
    register_norm(name + ".post_attention_layernorm", spec, spec.hidden);
  if (spec.norm_both) {
    register_norm(name + ".attention_output_layernorm", spec, spec.hidden);
    register_norm(name + ".mlp_output_layernorm", spec, spec.hidden);
  }
}

void TransformerBlocks::write_block(const std::string& name, const BlockSpec& spec, std::int64_t others) {
  writer_.begin_block(name);
  Block block;
  block.hidden = spec.hidden;
  block.attention.push_back(shape_of(spec.attention, tokens_, tokens_, false));

  const std::string self = name + ".self_attn";
  if (!spec.norm_after) write_norm(name + ".input_layernorm", spec, spec.hidden);
  attention(self, spec, tokens_, false);
  if (!spec.parallel) part_end(self, name + ".input_layernorm", spec);
  if (others > 0) {
    const std::string cross = name + ".cross_attn";
    block.attention.push_back(shape_of(spec.attention, tokens_, others, true));
    if (!spec.norm_after) write_norm(name + ".cross_layernorm", spec, spec.hidden);
    attention(cross, spec, others, true);
    part_end(cross, name + ".cross_layernorm", spec);
  }
  second_part(name, spec);

  if (spec.experts) {
    const ExpertSpec& mixture = *spec.experts;
    block.experts =
        ExpertShape{mixture.experts, mixture.chosen, mixture.width, mixture.shared_width, mixture.bias};
  } else {
    block.feed_forward = spec.feed_forward.width;
  }
  block.gated = spec.experts.has_value() || spec.feed_forward.gated;
  block.rotary = spec.attention.rotary;
  block.head_norm = spec.attention.head_norm;
  block.dropout = spec.dropout;
  block.adds = (spec.parallel ? 1 : 2) + (others > 0 ? 1 : 0);
  block.norms = spec.norm_both ? 4 : block.adds + (spec.parallel_norms ? 1 : 0);
  writer_.end_block(block);
}

void TransformerBlocks::second_part(const std::string& name, const BlockSpec& spec) {
  const std::string norm = name + ".post_attention_layernorm";
  if (!spec.norm_after && (!spec.parallel || spec.parallel_norms)) write_norm(norm, spec, spec.hidden);
  const std::string part = name + ".mlp";
  // Where both parts read one norm's output, it is kept once.
  const bool shares_input = spec.parallel && !spec.parallel_norms;
  if (spec.experts)
    experts(part, spec.hidden, *spec.experts);
  else
    feed_forward(part, spec.hidden, spec.feed_forward, !shares_input);
  part_end(part, norm, spec);
}

// The residual add of one part, with its dropout and the norms that stand behind it.
void TransformerBlocks::part_end(const std::string& part, const std::string& norm, const BlockSpec& spec) {
  const double elements = stream(spec.hidden);
  if (spec.norm_both) {
    const std::string name = part.ends_with(".mlp") ? "mlp_output_layernorm" : "attention_output_layernorm";
    write_norm(part.substr(0, part.rfind('.') + 1) + name, spec, spec.hidden);
  }
  const double summands = spec.parallel ? 4 : 3;
  if (spec.dropout) {
    const double moved = (summands + 2.25) * elements;
    writer_.layer(part + ".add", Traffic{"dropout, add", moved, moved, 2, 2}).saved_bytes = elements;
  } else {
    writer_.layer(part + ".add", Traffic{"add", summands * elements, summands * elements});
  }
  if (spec.norm_after) write_norm(norm, spec, spec.hidden);
}

}  // namespace paceline
