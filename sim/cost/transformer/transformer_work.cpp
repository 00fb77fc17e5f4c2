#include "sim/cost/transformer/transformer_work.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sim/cost/kernel/optimizer_time.h"
#include "sim/cost/transformer/dense_layer.h"
#include "sim/cost/transformer/further_prediction.h"
#include "sim/cost/transformer/layer_setup.h"
#include "sim/cost/transformer/layer_unit.h"
#include "sim/cost/transformer/model_ends.h"
#include "sim/cost/transformer/rank_share.h"

namespace paceline {
namespace {

void refuse_remainder(const char* field, std::int64_t of, const char* what, std::int64_t by) {
  if (of % by == 0) return;
  throw InputError(field, fmt::format("{} {} over {} ranks: {} remain", of, what, by, of % by),
                   fmt::format("a divisor of the {} {}", of, what), "choose another degree");
}

void check_block(const Block& block, const Degrees& degrees) {
  if (block.attention.size() != 1 || block.attention.front().queries != block.attention.front().keys)
    throw InputError("model", fmt::format("{}, which attends to another sequence than its own", block.name),
                     "layers with self-attention only", "use a strategy that does not split the model");
  const AttentionShape& shape = block.attention.front();
  refuse_remainder("tensor", shape.heads, "heads", degrees.tensor);
  if (shape.key_value_heads >= degrees.tensor)
    refuse_remainder("tensor", shape.key_value_heads, "heads of keys and values", degrees.tensor);
  if (block.feed_forward > 0)
    refuse_remainder("tensor", block.feed_forward, "feed-forward columns", degrees.tensor);
}

void check_model(const TransformerRequest& request) {
  const Model& model = request.model;
  if (model.blocks.empty() || model.sequence == 0)
    throw InputError("model", model.title, "a transformer, made of layers with attention",
                     "choose another model, or a strategy that does not split it");
  if (!request.framework.transformer)
    throw InputError("framework", request.framework.title, "one whose transformers are known",
                     "choose \"megatron-core\", \"torchtitan\" or \"pytorch\"");
  const Degrees& degrees = request.strategy.parallel.degrees;
  for (const Block& block : model.blocks) check_block(block, degrees);
  refuse_remainder("context", model.sequence, "tokens", degrees.context);
}

class Work {
 public:
  explicit Work(const TransformerRequest& request)
      : request_(request), context_(layer_context_of(request)), layer_(request, context_) {}

  [[nodiscard]] TransformerWork build() const {
    TransformerWork work;
    LayerContext ends = context_;
    ends.products_in_8_bit.reset();
    work.units.push_back(embedding_unit(request_, ends));
    const Block* last = nullptr;
    for (const Block& block : request_.model.blocks) {
      if (last && is_alike(*last, block)) {
        ++work.units.back().alike;
        continue;
      }
      work.units.push_back(layer_unit(request_, context_, block));
      last = &block;
    }
    work.units.push_back(head_unit(request_, ends));
    const auto hidden = static_cast<double>(request_.model.blocks.front().hidden);
    work.boundary = Bytes(layer_.stream_tokens() * hidden * context_.element);
    work.tied_head = request_.model.tied_head;
    work.head_parameters = table_elements();
    work.model_flops = model_flops();
    return work;
  }

 private:
  static bool is_alike(const Block& a, const Block& b) {
    return a.hidden == b.hidden && a.attention == b.attention && a.feed_forward == b.feed_forward &&
           a.gated == b.gated && a.experts == b.experts && a.rotary == b.rotary &&
           a.head_norm == b.head_norm && a.dropout == b.dropout && a.norms == b.norms && a.adds == b.adds &&
           a.predicts_further() == b.predicts_further();
  }

  // Of the embedding table on a rank, padded as the framework does.
  [[nodiscard]] double table_elements() const {
    for (const Layer& layer : request_.model.layers)
      if (const auto* loss = std::get_if<VocabularyLoss>(&layer.work)) {
        const int tensor = context_.parallel.degrees.tensor;
        return padded_vocabulary(context_.rules, static_cast<double>(loss->vocabulary), tensor) / tensor *
               static_cast<double>(request_.model.blocks.front().hidden);
      }
    return 0;
  }

  [[nodiscard]] Flops model_flops() const {
    double sum = 0;
    for (const Layer& layer : request_.model.layers) {
      const auto* core = std::get_if<BatchedGemm>(&layer.work);
      sum += 2 * multiply_adds(layer) * (core && core->causal ? 0.5 : 1);
    }
    return Flops(sum);
  }

  const TransformerRequest& request_;
  LayerContext context_;
  DenseLayer layer_;
};

}  // namespace

TransformerWork transformer_work(const TransformerRequest& request) {
  check_model(request);
  return Work(request).build();
}

Seconds streaming_time(const TransformerRequest& request, Bytes bytes) {
  const LayerContext context = layer_context_of(request);
  return bytes / context.products.memory * context.rules.element_wise.factor;
}

Seconds optimizer_step_time(const TransformerRequest& request, double parameters, double held) {
  const LayerContext context = layer_context_of(request);
  const TransformerRules& rules = context.rules;
  const int stage = zero_stage_of(request.strategy);
  const bool fully = stage == 3, sharded = stage > 0;
  // The rules count Adam; what others move differs by their states and passes.
  const auto moved = [](Optimizer optimizer) {
    return optimizer_bytes_per_parameter(optimizer, OptimizerKernels::fused, false);
  };
  const Bytes beyond_adam = moved(request.strategy.optimizer) - moved(Optimizer::adam);
  Bytes bytes = Bytes(parameters * rules.step.optimizer_bytes) + beyond_adam * parameters;
  if (!fully)
    bytes += Bytes(held * (rules.step.norm_bytes +
                           (sharded ? rules.step.sharded_norm_bytes : rules.step.unsharded_norm_bytes)));
  return streaming_time(request, bytes) + (fully ? rules.shards.start : rules.step.start);
}

}  // namespace paceline
