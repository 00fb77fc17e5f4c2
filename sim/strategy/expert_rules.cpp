#include "sim/strategy/expert_rules.h"

#include <optional>
#include <string>

namespace paceline {
namespace {

constexpr double most_factor = 100, most_passes = 1000;

// Fields of one object, each of which may be left out where it is inherited.
class Fields {
 public:
  Fields(JsonObject object, bool inherits) : object_(std::move(object)), inherits_(inherits) {}

  std::optional<JsonValue> field(const std::string& name) {
    if (inherits_) return object_.optional(name);
    return object_.required(name);
  }
  void factor(const std::string& name, double& target) { number(name, target, most_factor); }
  void passes(const std::string& name, double& target) { number(name, target, most_passes); }
  void seconds(const std::string& name, Seconds& target) {
    if (const auto value = field(name)) target = value->quantity<Seconds>();
  }
  void flag(const std::string& name, bool& target) {
    if (const auto value = field(name)) target = value->boolean();
  }
  void both(const std::string& name, Passes& target) {
    group(name, [&](Fields& directions) {
      directions.passes("forward", target.forward);
      directions.passes("backward", target.backward);
    });
  }
  template <class Reader>
  void group(const std::string& name, const Reader& read) {
    if (const auto value = field(name)) {
      Fields fields(value->object(), inherits_);
      read(fields);
      fields.finish();
    }
  }
  void finish() const { object_.finish(); }

 private:
  void number(const std::string& name, double& target, double most) {
    if (const auto value = field(name)) target = value->number(0, most);
  }

  JsonObject object_;
  bool inherits_;
};

void read_device_side(Fields& fields, ExpertRules& rules) {
  fields.factor("element_wise", rules.element_wise);
  fields.factor("product", rules.product);
  fields.factor("one_by_one", rules.one_by_one);
  fields.factor("tensor_scaling", rules.tensor_scaling);
  fields.both("activation", rules.activation);
  fields.group("grouped_factors", [&](Fields& grouped) {
    grouped.factor("permutation", rules.permutation_grouped);
    grouped.factor("casts", rules.casts_grouped);
    grouped.both("activation", rules.activation_grouped);
  });
  fields.group("bias", [&](Fields& bias) {
    bias.factor("factor", rules.bias);
    bias.passes("kernels", rules.bias_kernels);
    bias.both("hidden", rules.bias_hidden);
    bias.both("feed_forward", rules.bias_feed_forward);
  });
  fields.group("router", [&](Fields& router) {
    router.passes("kernels", rules.router.kernels);
    router.passes("score_bytes", rules.router.score_bytes);
    router.passes("passes", rules.router.passes);
    router.factor("backward", rules.router.backward);
  });
  fields.group("latent_attention", [&](Fields& latent) {
    latent.factor("rate", rules.latent.rate);
    latent.both("assembly", rules.latent.assembly);
  });
  fields.factor("attention_8_bit", rules.attention_8_bit);
}

void read_permutation(Fields& fields, ExpertRules& rules) {
  fields.group("permutation", [&](Fields& permutation) {
    permutation.factor("factor", rules.permutation.factor);
    permutation.passes("kernels", rules.permutation.kernels);
    permutation.seconds("forward_preparation", rules.permutation.forward_preparation);
    permutation.seconds("backward_preparation", rules.permutation.backward_preparation);
    permutation.factor("deepep", rules.permutation.deep_ep);
    permutation.factor("hybridep", rules.permutation.hybrid_ep);
  });
}

void read_host_part(Fields& host, const std::string& name, Seconds& forward, Passes& factor) {
  host.group(name, [&](Fields& part) {
    part.seconds("forward", forward);
    part.factor("backward_factor", factor.backward);
  });
}

void read_host(Fields& fields, ExpertRules& rules) {
  fields.group("host", [&](Fields& host) {
    read_host_part(host, "attention", rules.host_attention, rules.host_attention_factor);
    read_host_part(host, "router", rules.host_router, rules.host_router_factor);
    read_host_part(host, "expert", rules.host_expert, rules.host_expert_factor);
    host.seconds("synchronisation", rules.synchronisation);
    host.factor("graph_attention", rules.graph_attention);
    host.factor("graph_router", rules.graph_router);
    host.factor("token_drop", rules.token_drop);
    host.factor("overlap", rules.overlap);
    host.factor("arm", rules.arm_host);
  });
}

void read_defaults(Fields& fields, ExpertRules& rules) {
  if (const auto value = fields.field("dispatcher"))
    rules.dispatcher = static_cast<Dispatcher>(value->choice(dispatcher_names()));
  if (const auto value = fields.field("graph_scope"))
    rules.graph_scope = static_cast<GraphScope>(value->choice(graph_scope_names()));
  fields.flag("grouped", rules.grouped);
  fields.flag("drops_tokens", rules.drops_tokens);
}

}  // namespace

ExpertRules read_expert_rules(const JsonValue& value, const ExpertRules& base) {
  ExpertRules rules = base;
  Fields fields(value.object(), base.known);
  read_device_side(fields, rules);
  read_permutation(fields, rules);
  fields.group("overlap", [&](Fields& overlap) {
    overlap.factor("hidden", rules.hidden);
    overlap.factor("slowdown", rules.slowdown);
  });
  read_host(fields, rules);
  read_defaults(fields, rules);
  fields.finish();
  rules.known = true;
  return rules;
}

}  // namespace paceline
