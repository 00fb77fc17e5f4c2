#include "sim/cost/transformer/latent_attention.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "sim/cost/kernel/attention_time.h"

namespace paceline {
namespace {

constexpr double recompute_passes = 4;  // of the assembly, again before backward

struct Widths {
  double hidden, query_rank, key_value_rank, rotary;
  double queries, keys_values, values;  // of a tensor rank's heads

  Widths(const LayerContext& context, std::int64_t model, const AttentionShape& shape)
      : hidden(static_cast<double>(model)),
        query_rank(static_cast<double>(shape.query_rank)),
        key_value_rank(static_cast<double>(shape.key_value_rank)),
        rotary(static_cast<double>(shape.rotary_size)) {
    const double heads = static_cast<double>(shape.heads) / context.parallel.degrees.tensor;
    queries = heads * static_cast<double>(shape.head_size);
    values = heads * static_cast<double>(shape.value_size);
    keys_values = queries - heads * rotary + values;
  }
};

LayerPart projections(const LayerContext& context, const Widths& widths) {
  LayerPart part;
  const auto add = [&](const char* name, double outputs, double inputs) {
    LayerPart one;
    add_linear(one, context, name, {context.tokens, outputs, inputs});
    part.append(one);
  };
  if (widths.query_rank > 0) {
    add("latent query down", widths.query_rank, widths.hidden);
    add("latent query up", widths.queries, widths.query_rank);
  } else {
    add("latent query", widths.queries, widths.hidden);
  }
  add("latent key-value down", widths.key_value_rank + widths.rotary, widths.hidden);
  add("latent key-value up", widths.keys_values, widths.key_value_rank);
  return part;
}

Kernel core(const LayerContext& context, const AttentionShape& shape, Direction direction) {
  AttentionCall call;
  call.queries = static_cast<double>(shape.queries);
  call.batch = context.tokens / call.queries;
  call.keys = static_cast<double>(shape.keys);
  call.heads = call.key_heads = static_cast<double>(shape.heads) / context.parallel.degrees.tensor;
  call.head = static_cast<double>(shape.head_size);
  call.value_head = static_cast<double>(shape.value_size);
  call.causal = shape.causal;
  call.element = context.element;
  TrainingAttentionRates rates = context.attention;
  rates.forward_start = rates.backward_start = context.rules.element_wise.kernel;  // the host's is elsewhere
  rates.latent_forward *= context.rules.experts.latent.rate;
  Kernel kernel;
  kernel.name = "attention core";
  kernel.time = training_attention_time(rates, nullptr, context.products.memory, context.multiprocessors,
                                        call, direction, context.attention_conditions);
  kernel.work = attention_work(call) * (direction == Direction::backward ? 2.5 : 1);
  kernel.traffic = attention_bytes(call);
  return kernel;
}

LayerPart assembled_core(const LayerContext& context, const Widths& widths, const AttentionShape& shape) {
  LayerPart part;
  const Bytes queries(context.tokens * widths.queries * context.element);
  const Passes& passes = context.rules.experts.latent.assembly;
  part.forward.add(element_wise(context, "latent assembly", queries * passes.forward));
  part.forward.add(core(context, shape, Direction::forward));
  part.backward.add(core(context, shape, Direction::backward));
  part.backward.add(element_wise(context, "latent assembly", queries * passes.backward));
  return part;
}

Pass recomputed(const LayerContext& context, const Widths& widths) {
  Pass pass;
  const double query_inputs = widths.query_rank > 0 ? widths.query_rank : widths.hidden;
  add_linear_forward(pass, context, "latent query up", {context.tokens, widths.queries, query_inputs});
  add_linear_forward(pass, context, "latent key-value up",
                     {context.tokens, widths.keys_values, widths.key_value_rank});
  const Bytes queries(context.tokens * widths.queries * context.element);
  pass.add(element_wise(context, "latent assembly", queries * recompute_passes));
  return pass;
}

}  // namespace

LayerPart latent_attention_part(const LayerContext& context, std::int64_t hidden,
                                const AttentionShape& shape) {
  if (!context.rules.experts.known)
    throw InputError("framework", "a model with latent attention",
                     "a framework whose latent attention is known",
                     "choose \"megatron-core\" or one of its releases");
  if (context.parallel.degrees.context > 1)
    throw InputError("parallel.context", std::to_string(context.parallel.degrees.context),
                     "1 with latent attention, whose exchange between context ranks nobody has measured",
                     "choose context 1");
  if (!(context.attention.forward > FlopsPerSecond(0)))
    throw InputError("device", "one without a fused kernel of attention in this precision",
                     "one whose attention was measured", "choose another device, or bf16");
  const Widths widths(context, hidden, shape);
  LayerPart part = projections(context, widths);
  part.append(assembled_core(context, widths, shape));
  LayerPart output;
  add_linear(output, context, "latent output", {context.tokens, widths.hidden, widths.values});
  part.append(output);
  if (recomputes(context, "mla_up_proj")) part.recompute = recomputed(context, widths);
  return part;
}

}  // namespace paceline
