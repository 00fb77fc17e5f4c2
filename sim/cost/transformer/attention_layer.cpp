// The attention of dense layers: projections, rotary positions, copies and the core, fused or not.
#include <algorithm>
#include <cmath>

#include "sim/cost/transformer/dense_layer.h"

namespace paceline {
namespace {

constexpr double backward_products = 2.5;  // of a fused core, against forward's two: five, one of them again
constexpr double least_row = 16;           // bytes

double key_heads_of_rank(const AttentionShape& shape, double tensor) {
  return std::max(static_cast<double>(shape.key_value_heads) / tensor, 1.0);  // fewer heads are replicated
}

// Tiles on the diagonal are computed whole, but the rates of training kernels are known for exactly half of
// the scores.
double diagonal_share(const AttentionCall& call) {
  constexpr double tile = 128;
  if (!call.causal || call.window > 0 || call.queries < tile) return 1;
  const double tiles = std::ceil(call.queries / tile);
  return tiles * (tiles + 1) * tile * tile / (call.queries * call.queries);
}

}  // namespace

// Causal attention over a ring is balanced: every rank sees half of the scores of its queries.
AttentionCall DenseLayer::call_of(const AttentionShape& shape) const {
  const Degrees& degrees = context_.parallel.degrees;
  AttentionCall call;
  call.batch = context_.samples;
  call.heads = static_cast<double>(shape.heads) / tensor();
  call.key_heads = key_heads_of_rank(shape, tensor());
  call.head = static_cast<double>(shape.head_size);
  call.value_head = static_cast<double>(shape.value_size);
  call.queries = static_cast<double>(shape.queries);
  call.keys = static_cast<double>(shape.keys);
  call.causal = shape.causal;
  call.window = static_cast<double>(shape.window);
  call.element = context_.element;
  if (degrees.context == 1) return call;
  if (context_.parallel.context_exchange == ContextExchange::all_to_all) {
    call.heads /= degrees.context;
    call.key_heads = std::max(call.key_heads / degrees.context, 1.0);
    return call;
  }
  call.queries /= degrees.context;
  if (call.causal && call.window == 0) {
    call.causal = false;
    call.keys /= 2;
  }
  return call;
}

Kernel DenseLayer::fused_core(const AttentionCall& call, Direction direction) const {
  TrainingAttentionRates rates = context_.attention;
  rates.forward_start = rates.backward_start = context_.rules.element_wise.kernel;  // the host's is elsewhere
  rates.forward *= diagonal_share(call);
  const bool back = direction == Direction::backward;
  const AttentionRates* inference = request_.rates.attention ? &*request_.rates.attention : nullptr;
  Kernel kernel;
  kernel.name = back ? "attention gradient" : "attention";
  kernel.time = training_attention_time(rates, inference, context_.products.memory, context_.multiprocessors,
                                        call, direction, context_.attention_conditions);
  kernel.work = attention_work(call) * (back ? backward_products : 1);
  kernel.traffic = attention_bytes(call) * (back ? 2 : 1);
  return kernel;
}

// Scores and context as batched products, their gradients two of each; the masked half is computed too.
Pass DenseLayer::unfused_core(const AttentionCall& call, bool dropout, Direction direction) const {
  const double batch = call.batch * call.heads;
  const bool back = direction == Direction::backward;
  const double times = back ? 2 : 1;
  const bool aligned = std::fmod(call.head * call.element, least_row) == 0;
  const auto batched = [&](const char* name, const GemmShape& shape) {
    Kernel kernel = product(context_, name, shape, false);
    kernel.time *= times * (aligned ? 1 : request_.rates.alignment.below_16);
    kernel.work *= times;
    kernel.traffic *= times;
    return kernel;
  };
  const Bytes scores(batch * call.queries * call.keys * call.element);
  const AttentionRules& rules = context_.rules.attention;
  const auto passes = [&](const Passes& of) { return back ? of.backward : of.forward; };
  GemmShape first{call.queries, call.keys, call.head, batch};
  GemmShape second{call.queries, call.value_head, call.keys, batch};
  first.output = second.output = call.element;
  Pass pass;
  pass.add(batched(back ? "attention scores gradient" : "attention scores", first));
  pass.add(element_wise(context_, back ? "attention softmax gradient" : "attention softmax",
                        scores * passes(rules.softmax)));
  if (dropout && passes(rules.dropout) > 0)
    pass.add(element_wise(context_, back ? "attention dropout gradient" : "attention dropout",
                          scores * passes(rules.dropout)));
  pass.add(batched(back ? "attention context gradient" : "attention context", second));
  if (back) std::reverse(pass.steps.begin(), pass.steps.end());
  return pass;
}

Pass DenseLayer::core(const Block& block, Direction direction) const {
  const AttentionShape& shape = block.attention.front();
  const AttentionCall call = call_of(shape);
  if (!fused_) return unfused_core(call, shape.dropout, direction);
  Pass pass;
  add_context_exchange(pass, shape, direction);
  pass.add(fused_core(call, direction));
  return pass;
}

// Keys and values of the other context ranks; backward their gradients travel too.
void DenseLayer::add_context_exchange(Pass& pass, const AttentionShape& shape, Direction direction) const {
  const double ranks = context_.parallel.degrees.context;
  if (ranks <= 1) return;
  const bool back = direction == Direction::backward;
  const double keys =
      key_heads_of_rank(shape, tensor()) * static_cast<double>(shape.head_size + shape.value_size);
  const double queries =
      static_cast<double>(shape.heads) / tensor() * static_cast<double>(shape.head_size + shape.value_size);
  const Bytes own(context_.tokens * keys * context_.element);
  Exchange exchange;
  exchange.group = GroupKind::context;
  exchange.factor = request_.rates.loaded_collectives.factor;
  switch (context_.parallel.context_exchange) {
    case ContextExchange::ring: {
      exchange.name = "ring of keys and values";
      exchange.kind = CollectiveKind::send_receive;
      exchange.message = own * ((ranks - 1) * (back ? 2 : 1));
      exchange.cover = {0, (ranks - 1) / ranks, 0, 2};  // beside the parts that are already there
      pass.add(exchange);
      const ContextRules& rules = context_.rules.context;
      Kernel steps;
      steps.name = "ring steps";
      steps.time = (back ? rules.step_backward : rules.step_forward) * (ranks - 1);
      pass.add(steps);
      return;
    }
    case ContextExchange::all_gather:
      exchange.name = "all-gather keys and values";
      exchange.kind = CollectiveKind::all_gather;
      exchange.message = own * ranks;
      pass.add(exchange);
      if (!back) return;
      exchange.name = "reduce-scatter keys and values";
      exchange.kind = CollectiveKind::reduce_scatter;
      pass.add(exchange);
      return;
    case ContextExchange::all_to_all:
      exchange.name = "all-to-all heads";
      exchange.kind = CollectiveKind::all_to_all;
      exchange.message = own + Bytes(context_.tokens * queries * context_.element);
      pass.add(exchange);
      return;
  }
}

LayerPart DenseLayer::attention(const Block& block) const {
  const AttentionShape& shape = block.attention.front();
  const auto hidden = static_cast<double>(block.hidden);
  const auto heads = static_cast<double>(shape.heads), size = static_cast<double>(shape.head_size);
  const double keys = key_heads_of_rank(shape, tensor()) * tensor();  // on all ranks, with copies
  const double values = static_cast<double>(shape.value_size);
  LayerPart part = column("qkv", {context_.tokens, heads * size + keys * (size + values), hidden});
  const double rank_tokens = context_.tokens * context_.element / tensor();
  constexpr double kernels = 2;  // one for the queries, one for the others
  const auto moved = [&](const std::string& name, double width, const Passes& passes) {
    if (passes.forward <= 0 && passes.backward <= 0) return;
    LayerPart moves;
    moves.forward.add(element_wise(context_, name, Bytes(rank_tokens * width * passes.forward), kernels));
    moves.backward.add(
        element_wise(context_, name + " gradient", Bytes(rank_tokens * width * passes.backward), kernels));
    part.append(moves);
  };
  const ElementWiseRules& rules = context_.rules.element_wise;
  if (block.head_norm) moved("head norm", (heads + keys) * size, rules.norm);
  if (block.rotary) moved("rotary positions", (heads + keys) * size, rules.rotary);
  moved("head copies", heads * size + keys * (size + values), {rules.copies, rules.copies});
  part.append({core(block, Direction::forward), {}, core(block, Direction::backward), {}});
  part.append(row("projection", {context_.tokens, hidden, heads * values}));
  return part;
}

}  // namespace paceline
