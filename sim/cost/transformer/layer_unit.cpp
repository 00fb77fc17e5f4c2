#include "sim/cost/transformer/layer_unit.h"

#include "sim/cost/transformer/dense_layer.h"
#include "sim/cost/transformer/expert_host.h"
#include "sim/cost/transformer/expert_layer.h"
#include "sim/cost/transformer/further_prediction.h"
#include "sim/cost/transformer/latent_attention.h"
#include "sim/cost/transformer/model_ends.h"
#include "sim/cost/transformer/rank_share.h"
#include "sim/cost/transformer/recompute.h"

namespace paceline {
namespace {

class LayerUnit {
 public:
  LayerUnit(const TransformerRequest& request, const LayerContext& context)
      : request_(request), context_(context), layer_(request, context) {}

  [[nodiscard]] Unit build(const Block& block) const {
    Unit unit;
    unit.name = block.name;
    const RankParameters parameters =
        rank_parameters(request_.model, block.lead_layer, block.end_layer, context_.parallel.degrees);
    unit.dense_parameters = parameters.dense;
    unit.expert_parameters = parameters.expert;
    LayerPart part = layer_part(block);
    if (block.experts)
      add_expert_host(part, context_, block);
    else
      set_host(part);
    const Recompute policy = context_.parallel.recompute;
    const Pass whole = recomputed(policy, part.forward, context_.rules.host);
    if (policy == Recompute::full)
      part.recompute = whole;
    else
      part.recompute.append(whole);
    add_shard_casts(part, parameters.dense);
    set_passes(unit, part);
    unit.input = Bytes(layer_.stream_tokens() * static_cast<double>(block.hidden) * context_.element);
    unit.kept = kept_bytes(request_, context_, layer_, block.first_layer, block.end_layer, &block);
    return unit;
  }

 private:
  // Norms and adds stand around the two halves; a third norm and fourth at their ends (Gemma 2).
  [[nodiscard]] LayerPart layer_part(const Block& block) const {
    const auto hidden = static_cast<double>(block.hidden);
    const ElementWiseRules& rules = context_.rules.element_wise;
    const Passes& residual = block.dropout ? rules.residual_with_dropout : rules.residual;
    LayerPart part;
    const auto norms = [&](int count) {
      for (int index = 0; index < count; ++index) part.append(layer_.norm(hidden));
    };
    const AttentionShape& shape = block.attention.front();
    if (block.predicts_further()) part.append(further_prediction_part(context_, block));
    norms(block.norms - block.norms / 2);
    if (shape.key_value_rank > 0)
      part.append(layer_.exchanged(latent_attention_part(context_, block.hidden, shape), hidden));
    else
      part.append(layer_.attention(block));
    if (block.adds > 1) part.append(layer_.stream("residual add", residual, hidden));
    norms(block.norms / 2);
    part.append(block.experts ? expert_part(context_, block)
                              : layer_.feed_forward(block.hidden, block.feed_forward, block.gated));
    part.append(layer_.stream("residual add", residual, hidden));
    return part;
  }

  // 8-bit copies of weights that are gathered in 16 bit.
  void add_shard_casts(LayerPart& part, double parameters) const {
    const bool sharded = zero_stage_of(request_.strategy) == 3;
    if (!sharded || !context_.products_in_8_bit) return;
    part.forward.steps.insert(
        part.forward.steps.begin(),
        element_wise(context_, "weights cast", Bytes(parameters * context_.rules.fp8.shard_cast)));
  }

  void set_host(LayerPart& part) const {
    const TransformerHost& host = context_.rules.host;
    const bool graph = context_.parallel.graph_scope == GraphScope::full;
    const double operators =
        host.operators + (context_.parallel.degrees.tensor > 1 ? host.tensor_operators : 0);
    part.forward.host = host.per_operator * (operators * (graph ? host.graph : 1));
    part.backward.host = part.forward.host * host.backward;
  }

  const TransformerRequest& request_;
  const LayerContext& context_;
  DenseLayer layer_;
};

}  // namespace

Unit layer_unit(const TransformerRequest& request, const LayerContext& context, const Block& block) {
  return LayerUnit(request, context).build(block);
}

}  // namespace paceline
