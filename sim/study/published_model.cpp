#include "sim/study/published_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/builders.h"
#include "sim/model/recipe_fields.h"
#include "sim/study/memory/row_fields.h"
#include "sim/study/published_fields.h"

namespace paceline {
namespace {

// What is common to the transformers of a publication. The first size that is missing is named.
struct Shape {
  std::int64_t layers = 0, hidden = 0, heads = 0, vocabulary = 0, sequence = 0;
  std::string missing;

  explicit Shape(RowFields& fields) {
    layers = size(fields, "layers", most_layers);
    hidden = size(fields, "hidden", most_width);
    heads = size(fields, "heads", most_width);
    vocabulary = size(fields, "vocab", most_classes);
    sequence = size(fields, "seq", most_classes);
    if (missing.empty() && !fields.count({"head_dim"}) && hidden % heads != 0)
      missing = "hidden as a multiple of heads";
  }

  std::int64_t size(RowFields& fields, const char* name, std::int64_t most) {
    const auto value = fields.count({name});
    if (value && *value >= 1 && *value <= most) return *value;
    if (missing.empty()) missing = name;
    return 1;
  }
};

// Of the Llama family: RMS norms, gated feed-forward parts, rotary positions, no biases.
DecoderSpec llama_like(RowFields& fields, Shape& shape) {
  DecoderSpec spec;
  spec.layers = shape.layers;
  spec.vocabulary = shape.vocabulary;
  spec.positions = spec.sequence = shape.sequence;
  spec.tied = fields.flag("tied_embeddings").value_or(false);
  BlockSpec& block = spec.block;
  block.hidden = shape.hidden;
  block.attention.heads = shape.heads;
  block.attention.key_value_heads = fields.count({"kv_heads"}).value_or(shape.heads);
  block.attention.head_size = fields.count({"head_dim"}).value_or(shape.hidden / shape.heads);
  block.feed_forward.gated = true;
  if (!fields.count({"experts"}) || *fields.count({"experts"}) < 2) {
    block.feed_forward.width = shape.size(fields, "ffn", most_width);
    return spec;
  }
  ExpertSpec experts;
  experts.experts = shape.size(fields, "experts", most_width);
  experts.chosen = shape.size(fields, "topk", experts.experts);
  experts.width = shape.size(fields, "moe_ffn", most_width);
  experts.shared_width = fields.count({"shared_experts"}).value_or(0) * experts.width;
  spec.dense_layers = std::clamp<std::int64_t>(fields.count({"dense_layers"}).value_or(0), 0, shape.layers);
  if (spec.dense_layers > 0) spec.dense_width = shape.size(fields, "ffn", most_width);
  block.experts = experts;
  return spec;
}

PublishedModel bert_of(const Shape& shape, std::int64_t width) {
  BertSpec spec;
  spec.layers = shape.layers;
  spec.hidden = shape.hidden;
  spec.heads = shape.heads;
  spec.feed_forward = width;
  spec.vocabulary = shape.vocabulary;
  spec.positions = spec.sequence = shape.sequence;
  return {fmt::format("bert {}x{}, {} heads, {} wide, {} words, {} tokens", shape.layers, shape.hidden,
                      shape.heads, width, shape.vocabulary, shape.sequence),
          std::make_shared<ModelRecipe>(bert_recipe(spec))};
}

// Publications vary heads or width, or cut layers, under one name.
bool differs(const Catalog& catalog, const std::string& name, RowFields fields) {
  const std::string family = fields.text("family");
  const bool decoder = family == "gpt" || family == "llama" || family == "moe";
  if (!decoder || !fields.count({"heads"})) return false;
  const Model model = catalog.models.build(name);
  if (model.blocks.empty() || model.blocks.front().attention.empty()) return false;
  const Block& block = model.blocks.front();
  const auto layers = static_cast<std::int64_t>(model.blocks.size());
  return fields.count({"layers"}).value_or(layers) != layers ||
         *fields.count({"heads"}) != block.attention.front().heads ||
         fields.count({"hidden"}).value_or(block.hidden) != block.hidden;
}

std::string build_from_row(RowFields fields, std::optional<PublishedModel>& built) {
  const std::string name = fields.text("name"), family = fields.text("family");
  if (family.find("mamba") != std::string::npos)
    return fmt::format("layers without attention (model \"{}\") are not modelled", name);
  if (family != "gpt" && family != "bert" && family != "llama" && family != "moe")
    return fmt::format("model \"{}\" is not in the catalog", name);
  Shape shape(fields);
  const std::int64_t width = fields.count({"ffn"}).value_or(4 * shape.hidden);
  DecoderSpec spec;
  if (family == "gpt") {
    spec = megatron_gpt(shape.layers, shape.hidden, shape.heads, width, shape.vocabulary, shape.sequence);
    spec.block.attention.key_value_heads = fields.count({"kv_heads"}).value_or(shape.heads);
    spec.tied = !fields.flag("untied_embeddings").value_or(false);
  } else if (family != "bert") {
    spec = llama_like(fields, shape);
  }
  const std::int64_t groups = spec.block.attention.key_value_heads;
  if (family != "bert" && (groups < 1 || shape.heads % groups != 0))
    shape.missing = "kv_heads as a divisor of heads";
  if (!shape.missing.empty())
    return fmt::format("model \"{}\" is not in the catalog, and the row does not state {}", name,
                       shape.missing);
  built = family == "bert" ? bert_of(shape, width) : published_decoder(spec);
  return "";
}

}  // namespace

DecoderSpec megatron_gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t width,
                         std::int64_t vocabulary, std::int64_t sequence) {
  DecoderSpec spec;
  spec.layers = layers;
  spec.vocabulary = vocabulary;
  spec.positions = spec.sequence = spec.learned_positions = sequence;
  spec.tied = true;
  BlockSpec& block = spec.block;
  block.hidden = hidden;
  block.norm = NormKind::layer;
  block.norm_bias = true;
  block.feed_forward = {width, false, true};
  AttentionSpec& attention = block.attention;
  attention.heads = attention.key_value_heads = heads;
  attention.head_size = hidden / std::max<std::int64_t>(1, heads);
  attention.bias = attention.output_bias = attention.joined = true;
  attention.rotary = false;
  return spec;
}

PublishedModel published_decoder(const DecoderSpec& spec) {
  const BlockSpec& block = spec.block;
  const AttentionSpec& attention = block.attention;
  std::string name =
      fmt::format("decoder {}x{}, {} heads of {} to {}, {} wide, {} words, {} tokens", spec.layers,
                  block.hidden, attention.heads, attention.score_size(), attention.key_value_heads,
                  block.feed_forward.width, spec.vocabulary, spec.sequence);
  if (block.experts)
    name += fmt::format(", {} of {} experts {} wide, {} shared, {} layers without", block.experts->chosen,
                        block.experts->experts, block.experts->width, block.experts->shared_width,
                        spec.dense_layers);
  if (block.dropout) name += ", dropout";
  if (!spec.tied) name += ", head of its own";
  return {name, std::make_shared<ModelRecipe>(token_recipe(spec, &build_decoder))};
}

std::string fill_published_model(const Catalog& catalog, const JsonValue& row, Scenario& scenario,
                                 std::optional<PublishedModel>& built) {
  JsonObject object = row.object();
  const JsonValue value = object.required("model");
  JsonObject model = value.object();
  const std::string name = text_of(model, "name");
  if (!catalog.models.contains(name) || differs(catalog, name, RowFields(value))) {
    if (std::string reason = build_from_row(RowFields(value), built); !reason.empty()) return reason;
    scenario.model = built->name;
    return "";
  }
  // Models that predict further tokens are trained so unless the publication says otherwise.
  const std::string further = name + "-mtp";
  const bool predicts = catalog.models.contains(further) && !has_flag(row, "moe:w/o MTP");
  scenario.model = predicts ? further : name;
  if (const auto sequence = number_of(model, "seq"))
    scenario.input.sequence = static_cast<std::int64_t>(*sequence);
  const auto vocabulary = number_of(model, "vocab");
  if (vocabulary && text_of(model, "family") != "cnn")
    scenario.input.vocabulary = static_cast<std::int64_t>(*vocabulary);
  return "";
}

}  // namespace paceline
