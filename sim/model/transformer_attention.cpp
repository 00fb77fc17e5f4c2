// The attention part of transformer blocks.
#include "sim/model/transformer_blocks.h"

namespace paceline {
namespace {

constexpr double statistic_bytes = 4;  // log-sum-exp and 1/rms are fp32 whatever the precision

std::int64_t query_width(const AttentionSpec& spec) { return spec.heads * spec.score_size(); }
std::int64_t key_width(const AttentionSpec& spec) { return spec.key_value_heads * spec.head_size; }
std::int64_t output_width(const AttentionSpec& spec) { return spec.heads * spec.value_size(); }

}  // namespace

void TransformerBlocks::register_attention(const std::string& name, const BlockSpec& block, bool crosses) {
  const AttentionSpec& spec = block.attention;
  const std::int64_t hidden = block.hidden;
  if (spec.latent) {
    register_latent(name, block);
  } else if (spec.joined && !crosses) {
    writer_.linear_parameters(name + ".qkv_proj", hidden, query_width(spec) + 2 * key_width(spec), spec.bias);
  } else {
    writer_.linear_parameters(name + ".q_proj", hidden, query_width(spec), spec.bias);
    writer_.linear_parameters(name + ".k_proj", hidden, key_width(spec), spec.bias);
    writer_.linear_parameters(name + ".v_proj", hidden, key_width(spec), spec.bias);
  }
  writer_.linear_parameters(name + ".o_proj", output_width(spec), hidden, spec.output_bias);
  if (spec.sinks) writer_.parameter(name + ".sinks", spec.heads);
  if (spec.head_norm) {
    writer_.norm_parameters(name + ".q_norm", spec.head_size, false);
    writer_.norm_parameters(name + ".k_norm", spec.head_size, false);
  }
}

void TransformerBlocks::register_latent(const std::string& name, const BlockSpec& block) {
  const AttentionSpec& spec = block.attention;
  const LatentSpec& latent = *spec.latent;
  if (latent.query_rank > 0) {
    writer_.linear_parameters(name + ".q_a_proj", block.hidden, latent.query_rank, spec.bias);
    writer_.norm_parameters(name + ".q_a_layernorm", latent.query_rank, false);
    writer_.linear_parameters(name + ".q_b_proj", latent.query_rank, query_width(spec), false);
  } else {
    writer_.linear_parameters(name + ".q_proj", block.hidden, query_width(spec), false);
  }
  writer_.linear_parameters(name + ".kv_a_proj_with_mqa", block.hidden,
                            latent.key_value_rank + latent.rotary_size, spec.bias);
  writer_.norm_parameters(name + ".kv_a_layernorm", latent.key_value_rank, false);
  writer_.linear_parameters(name + ".kv_b_proj", latent.key_value_rank,
                            spec.heads * (latent.plain_size + latent.value_size), false);
}

void TransformerBlocks::attention(const std::string& name, const BlockSpec& block, std::int64_t keys,
                                  bool crosses) {
  AttentionSpec spec = block.attention;
  if (crosses) {
    spec.causal = spec.rotary = false;
    spec.window = 0;
  }
  if (spec.latent)
    latent_projections(name, block);
  else
    projections(name, block, keys, crosses);
  if (spec.head_norm) head_norm(name, spec);
  rotate_and_copy(name, spec, keys);
  if (spec.fused)
    fused_core(name, spec, keys);
  else
    eager_core(name, spec, keys);
  linear(name + ".o_proj", tokens(), output_width(spec), block.hidden, Split::inputs);
}

void TransformerBlocks::projections(const std::string& name, const BlockSpec& block, std::int64_t keys,
                                    bool crosses) {
  const AttentionSpec& spec = block.attention;
  const std::int64_t hidden = block.hidden, width = key_width(spec);
  if (spec.joined && !crosses) {
    linear(name + ".qkv_proj", tokens(), hidden, query_width(spec) + 2 * width, Split::outputs);
    return;
  }
  linear(name + ".q_proj", tokens(), hidden, query_width(spec), Split::outputs);
  // Their input is the queries', or the encoder's output, which is kept once for all decoder blocks.
  for (const char* part : {".k_proj", ".v_proj"})
    linear(name + part, static_cast<double>(keys), hidden, width, Split::outputs).saved_elements = 0;
}

void TransformerBlocks::latent_projections(const std::string& name, const BlockSpec& block) {
  const AttentionSpec& spec = block.attention;
  const LatentSpec& latent = *spec.latent;
  if (latent.query_rank > 0) {
    linear(name + ".q_a_proj", tokens(), block.hidden, latent.query_rank, Split::none);
    small_norm(name + ".q_a_layernorm", stream(latent.query_rank), tokens());
    linear(name + ".q_b_proj", tokens(), latent.query_rank, query_width(spec), Split::outputs);
  } else {
    linear(name + ".q_proj", tokens(), block.hidden, query_width(spec), Split::outputs);
  }
  linear(name + ".kv_a_proj_with_mqa", tokens(), block.hidden, latent.key_value_rank + latent.rotary_size,
         Split::none)
      .saved_elements = 0;
  small_norm(name + ".kv_a_layernorm", stream(latent.key_value_rank), tokens());
  linear(name + ".kv_b_proj", tokens(), latent.key_value_rank,
         spec.heads * (latent.plain_size + latent.value_size), Split::outputs);
}

void TransformerBlocks::small_norm(const std::string& name, double elements, double rows) {
  Layer& layer =
      writer_.layer_with_own_parameters(name, Traffic{"rms norm", 6 * elements, 10 * elements, 8, 12});
  layer.saved_elements = elements;
  layer.saved_bytes = statistic_bytes * rows;
}

void TransformerBlocks::head_norm(const std::string& name, const AttentionSpec& spec) {
  small_norm(name + ".q_norm", stream(query_width(spec)), tokens() * static_cast<double>(spec.heads));
  small_norm(name + ".k_norm", stream(key_width(spec)), tokens() * static_cast<double>(spec.key_value_heads));
  for (std::size_t back = 1; back <= 2; ++back)
    writer_.model().layers[writer_.model().layers.size() - back].split = Split::heads;
}

// Rotary: halves swapped and negated, two products, a sum: 12 passes over queries and keys, backward alike.
// Then copies into the order of heads, and with latent keys the one that joins the shared rotary part.
void TransformerBlocks::rotate_and_copy(const std::string& name, const AttentionSpec& spec,
                                        std::int64_t keys) {
  const auto others = static_cast<double>(keys);
  const double queries = stream(query_width(spec));
  const double key_elements = others * static_cast<double>(spec.latent ? query_width(spec) : key_width(spec));
  const double values = others * static_cast<double>(spec.latent ? output_width(spec) : key_width(spec));
  if (spec.rotary) {
    double turned = queries + key_elements;
    if (spec.latent)
      turned = stream((spec.heads + 1) * spec.latent->rotary_size);  // one rotary key serves all heads
    writer_.layer(name + ".rotary", Traffic{"rotary", 12 * turned, 12 * turned, 10, 10}).split = Split::heads;
  }
  const double copied = 2 * (queries + key_elements + values);
  writer_.layer(name + ".split", Traffic{"head transposes", copied, copied, 3, 3}).split = Split::heads;
}

void TransformerBlocks::fused_core(const std::string& name, const AttentionSpec& spec, std::int64_t keys) {
  const auto heads = static_cast<double>(spec.heads), others = static_cast<double>(keys);
  BatchedGemm scores{heads, tokens_, keys, spec.score_size(), spec.causal, true, spec.window};
  BatchedGemm context{heads, tokens_, spec.value_size(), keys, spec.causal, true, spec.window};
  const double key_elements = others * static_cast<double>(spec.latent ? query_width(spec) : key_width(spec));
  const double values = others * static_cast<double>(spec.latent ? output_width(spec) : key_width(spec));
  Layer& first = writer_.layer(name + ".scores", scores);
  first.saved_elements = stream(query_width(spec)) + key_elements;
  first.split = Split::heads;
  std::vector<std::string> learned;
  if (spec.sinks) learned.push_back(name + ".sinks");
  Layer& second = writer_.layer(name + ".context", context, learned);
  second.saved_elements = values;
  second.saved_bytes = statistic_bytes * heads * tokens();
  second.split = Split::heads;
}

// Forward: scale, mask, softmax, and dropout with its mask of a byte. Each a kernel, the scores in memory.
void TransformerBlocks::eager_core(const std::string& name, const AttentionSpec& spec, std::int64_t keys) {
  const auto heads = static_cast<double>(spec.heads), others = static_cast<double>(keys);
  const double square = heads * tokens() * others, dropped = spec.dropout ? 1 : 0;
  const double key_elements = others * static_cast<double>(key_width(spec));
  Layer& scores = writer_.layer(name + ".scores", BatchedGemm{heads, tokens_, keys, spec.score_size(),
                                                              spec.causal, false, spec.window});
  scores.saved_elements = stream(query_width(spec)) + key_elements;
  scores.split = Split::heads;
  std::vector<std::string> learned;
  if (spec.sinks) learned.push_back(name + ".sinks");
  const Traffic traffic{"softmax", (6 + 2.25 * dropped) * square, (5 + 2.25 * dropped) * square,
                        spec.dropout ? 4 : 3, spec.dropout ? 3 : 2};
  Layer& softmax = writer_.layer(name + ".softmax", traffic, learned);
  softmax.saved_elements = dropped * square;  // without dropout the context's operand is the softmax output
  softmax.saved_bytes = dropped * square;
  softmax.split = Split::heads;
  Layer& context = writer_.layer(name + ".context", BatchedGemm{heads, tokens_, spec.value_size(), keys,
                                                                spec.causal, false, spec.window});
  context.saved_elements = square + others * static_cast<double>(key_width(spec));
  context.split = Split::heads;
  const double merged = 2 * stream(output_width(spec));
  writer_.layer(name + ".merge", Traffic{"head transposes", merged, merged, 1, 1}).split = Split::heads;
}

}  // namespace paceline
