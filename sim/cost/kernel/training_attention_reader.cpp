// Rates of attention in training, from a kernel-rates file.
#include "sim/cost/kernel/kernel_rates_fields.h"

namespace paceline {
namespace {

std::map<double, double> head_shares(JsonObject heads) {
  std::map<double, double> shares;
  for (const std::string& name : heads.all_names())
    shares[head_size(heads, name)] = heads.required(name).number(0.01, 10);
  return shares;
}

}  // namespace

double head_size(JsonObject& heads, const std::string& name) {
  if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos || name.size() > 5)
    heads.required(name).fail("a head size as its name, such as \"128\"");
  return std::stod(name);
}

TrainingAttentionRates training_rates(const JsonValue& value) {
  JsonObject object = value.object();
  TrainingAttentionRates rates;
  rates.forward = positive<FlopsPerSecond>(object, "forward");
  rates.backward_rate = object.required("backward_rate").number(0.01, 1);
  rates.longest = object.required("longest").number(0, 10);
  if (object.optional("latent_forward")) {
    rates.latent_forward = positive<FlopsPerSecond>(object, "latent_forward");
    rates.latent_backward_rate = object.required("latent_backward_rate").number(0.01, 1);
  }
  rates.forward_start = object.required("forward_start").quantity<Seconds>();
  rates.backward_start = object.required("backward_start").quantity<Seconds>();
  if (const auto shares = object.optional("by_head")) rates.by_head = head_shares(shares->object());
  if (const auto clock = object.optional("clock")) rates.clock = clock->number(0.1, 1);
  rates.error = error_of(object.required("error"));
  rates.source = object.required("source").string();
  object.finish();
  return rates;
}

}  // namespace paceline
