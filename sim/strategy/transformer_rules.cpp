#include "sim/strategy/transformer_rules.h"

#include "sim/strategy/expert_rules.h"
#include "sim/strategy/inherited_fields.h"

namespace paceline {
namespace {

constexpr double most_passes = 100, most_bytes = 1000;

// {"forward": 2, "backward": 3}
void read(Passes& passes, InheritedFields& fields, const std::string& name, double most = most_passes) {
  const auto value = fields.field(name);
  if (!value) return;
  JsonObject object = value->object();
  passes = {object.required("forward").number(0, most), object.required("backward").number(0, most)};
  object.finish();
}

void read(AttentionRules& rules, InheritedFields fields) {
  fields.set(rules.kernel, "kernel");
  read(rules.softmax, fields, "softmax");
  read(rules.dropout, fields, "dropout");
  fields.finish();
}

void read(ElementWiseRules& rules, InheritedFields fields) {
  fields.set(rules.factor, "factor", 0.1, 10);
  fields.set(rules.kernel, "kernel");
  read(rules.norm, fields, "norm");
  read(rules.residual, fields, "residual");
  read(rules.residual_with_dropout, fields, "residual_with_dropout");
  read(rules.activation, fields, "activation");
  read(rules.gated_activation, fields, "gated_activation");
  read(rules.rotary, fields, "rotary");
  fields.set(rules.copies, "copies", 0, most_passes);
  fields.set(rules.loss_bytes, "loss_bytes", 0, most_bytes);
  fields.set(rules.embedding, "embedding", 0, most_passes);
  fields.set(rules.vocabulary_multiple, "vocabulary_multiple", 1, 65536);
  fields.finish();
}

void read(TransformerHost& rules, InheritedFields fields) {
  fields.set(rules.operators, "operators", 0, 1000);
  fields.set(rules.tensor_operators, "tensor_operators", 0, 1000);
  fields.set(rules.per_operator, "per_operator");
  fields.set(rules.backward, "backward", 0, 10);
  fields.set(rules.recompute, "recompute", 0, 10);
  fields.set(rules.graph, "graph", 0, 1);
  fields.finish();
}

void read(TensorRules& rules, InheritedFields fields) {
  fields.set(rules.decomposed, "decomposed");
  fields.set(rules.overlaps_weight_gradient, "overlaps_weight_gradient");
  fields.set(rules.covered, "covered", 0, 1);
  fields.set(rules.slowdown, "slowdown", 0, 1);
  fields.set(rules.decomposed_exposed, "decomposed_exposed", 0, 1);
  fields.finish();
}

void read(ContextRules& rules, InheritedFields fields) {
  fields.set(rules.step_forward, "step_forward");
  fields.set(rules.step_backward, "step_backward");
  fields.finish();
}

void read(ShardRules& rules, InheritedFields fields) {
  fields.set(rules.slowdown, "slowdown", 0, 1);
  fields.set(rules.copy_bytes, "copy_bytes", 0, most_bytes);
  fields.set(rules.start, "start");
  fields.set(rules.host_layer, "host_layer");
  fields.set(rules.reduce_stalls_compute, "reduce_stalls_compute");
  fields.set(rules.gathers_ahead, "gathers_ahead", 1, 1000);
  fields.finish();
}

void read(GradientRules& rules, InheritedFields fields) {
  fields.set(rules.bytes, "bytes", 1, 8);
  fields.set(rules.overlap, "overlap");
  fields.set(rules.overlap_parameters, "overlap_parameters");
  fields.set(rules.covered, "covered", 0, 1);
  fields.set(rules.slowdown, "slowdown", 0, 1);
  fields.set(rules.accumulation_bytes, "accumulation_bytes", 0, most_bytes);
  fields.set(rules.bucket_elements, "bucket_elements", 1, 1e12);
  fields.finish();
}

void read(StepRules& rules, InheritedFields fields) {
  fields.set(rules.optimizer_bytes, "optimizer_bytes", 1, most_bytes);
  fields.set(rules.norm_bytes, "norm_bytes", 0, most_bytes);
  fields.set(rules.unsharded_norm_bytes, "unsharded_norm_bytes", 0, most_bytes);
  fields.set(rules.sharded_norm_bytes, "sharded_norm_bytes", 0, most_bytes);
  fields.set(rules.start, "start");
  fields.set(rules.jitter, "jitter", 0, 1);
  fields.finish();
}

void read(Fp8Rules& rules, InheritedFields fields) {
  read(rules.cast, fields, "cast", most_bytes);
  fields.set(rules.shard_cast, "shard_cast", 0, most_bytes);
  fields.set(rules.tensor_scaling, "tensor_scaling", 0.1, 10);
  fields.set(rules.row_casts, "row_casts", 0.1, 10);
  fields.set(rules.row_rate, "row_rate", 0.1, 2);
  fields.set(rules.rate, "rate", 0.1, 2);
  fields.finish();
}

void read(MemoryRules& rules, InheritedFields fields) {
  fields.set(rules.parameter, "parameter", 1, 16);
  fields.set(rules.master, "master", 0, 16);
  fields.set(rules.gradient, "gradient", 1, 16);
  fields.set(rules.bucket_buffers, "bucket_buffers");
  fields.finish();
}

template <class Rules>
void part(Rules& rules, InheritedFields& fields, const std::string& name) {
  if (const auto value = fields.field(name)) read(rules, InheritedFields(*value, fields.has_base()));
}

}  // namespace

TransformerRules read_transformer_rules(const JsonValue& value, const TransformerRules* base) {
  TransformerRules rules = base ? *base : TransformerRules{};
  InheritedFields fields(value, base != nullptr);
  part(rules.attention, fields, "attention");
  part(rules.element_wise, fields, "element_wise");
  part(rules.host, fields, "host");
  part(rules.tensor, fields, "tensor");
  part(rules.context, fields, "context");
  part(rules.shards, fields, "shards");
  part(rules.gradients, fields, "gradients");
  part(rules.step, fields, "step");
  part(rules.fp8, fields, "fp8");
  part(rules.memory, fields, "memory");
  if (const auto experts = fields.object().optional("experts"))
    rules.experts = read_expert_rules(*experts, rules.experts);
  fields.set(rules.accumulates_in_product, "accumulates_in_product");
  fields.set(rules.sequence_parallel, "sequence_parallel");
  fields.set(rules.balances_stages, "balances_stages");
  fields.set(rules.pipeline_overlap, "pipeline_overlap");
  fields.set(rules.uncertainty, "uncertainty", 0, 2);
  fields.finish();
  return rules;
}

}  // namespace paceline
