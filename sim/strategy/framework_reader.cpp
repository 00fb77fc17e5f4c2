#include "sim/strategy/framework_reader.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sim/strategy/inherited_fields.h"
#include "sim/strategy/strategy.h"

namespace paceline {
namespace {

constexpr int most_extensions = 3;

HostRules read_host(const JsonValue& value) {
  JsonObject object = value.object();
  HostRules host;
  host.forward_operator = object.required("forward_operator").quantity<Seconds>();
  host.backward_operator = object.required("backward_operator").quantity<Seconds>();
  host.optimizer_tensor = object.required("optimizer_tensor").quantity<Seconds>();
  host.replicate_object = object.required("replicate_object").quantity<Seconds>();
  object.finish();
  return host;
}

GradientEngine read_gradients(const JsonValue& value) {
  JsonObject object = value.object();
  GradientEngine engine;
  engine.per_tensor = object.required("per_tensor").quantity<Seconds>();
  engine.bucket_cap = object.required("bucket_cap").quantity<Bytes>();
  engine.first_bucket = object.required("first_bucket").quantity<Bytes>();
  engine.overlap = object.required("overlap").boolean();
  engine.half_gradients = object.required("half_gradients").boolean();
  engine.buffer_broadcast_limit = object.required("buffer_broadcast_limit").quantity<Bytes>();
  object.finish();
  return engine;
}

PowerSgdRules read_power_sgd(const JsonValue& value) {
  JsonObject object = value.object();
  PowerSgdRules rules;
  rules.minimum_rate = object.required("minimum_rate").number(1e-6, 1e6);
  rules.passes_before = object.required("passes_before").number(0, 100);
  rules.passes_after = object.required("passes_after").number(0, 100);
  rules.column_operators = object.required("column_operators").number(0, 1000);
  rules.projection_operators = object.required("projection_operators").number(0, 1000);
  object.finish();
  return rules;
}

HorovodEngine read_horovod(const JsonValue& value) {
  JsonObject object = value.object();
  HorovodEngine engine;
  engine.fusion_threshold = object.required("fusion_threshold").quantity<Bytes>();
  engine.cycle_time = object.required("cycle_time").quantity<Seconds>();
  engine.per_tensor = object.required("per_tensor").quantity<Seconds>();
  engine.network_per_tensor = object.required("network_per_tensor").quantity<Seconds>();
  object.finish();
  return engine;
}

MirroredEngine read_mirrored(const JsonValue& value) {
  JsonObject object = value.object();
  MirroredEngine engine;
  engine.pack = object.required("pack").quantity<Bytes>();
  engine.per_tensor = object.required("per_tensor").quantity<Seconds>();
  engine.network_per_tensor = object.required("network_per_tensor").quantity<Seconds>();
  engine.network_share = object.required("network_share").number(0.01, 1);
  object.finish();
  return engine;
}

void read_optimizer_traffic(const JsonValue& value, Framework& framework) {
  JsonObject traffic = value.object();
  for (std::size_t index = 0; index < optimizer_count; ++index)
    framework.optimizer_traffic[index] = traffic.required(optimizer_names()[index]).quantity<Bytes>();
  traffic.finish();
}

// What of the catalog's questions the framework can be asked.
void read_domain(JsonObject& object, Framework& framework) {
  if (const auto list = object.optional("strategies")) {
    framework.strategies.clear();
    for (const JsonValue& each : list->array())
      framework.strategies.push_back(strategy_names()[each.choice(strategy_names())]);
  }
  if (const auto family = object.optional("models")) {
    const std::size_t only = family->choice({"convolutional", "transformer"});
    framework.convolutional_only = only == 0;
    framework.transformer_only = only == 1;
  }
  if (const auto rate = object.optional("input_rate")) framework.input_rate = rate->number(0.001, 1e9);
  if (const auto uncertainty = object.optional("uncertainty"))
    framework.uncertainty = uncertainty->number(0, 2);
}

void read_names(JsonObject& object, Framework& framework) {
  framework.name = object.required("name").string();
  framework.title = object.required("title").string();
  framework.source = object.required("source").string();
  framework.aliases.clear();
  if (const auto aliases = object.optional("aliases"))
    for (const JsonValue& alias : aliases->array()) framework.aliases.push_back(alias.string());
}

void read_kernels(InheritedFields& fields, Framework& framework) {
  fields.set(framework.convolutional_traffic, "convolutional_traffic", 0.1, 10);
  fields.set(framework.transformer_traffic, "transformer_traffic", 0.1, 10);
  fields.set(framework.mixed_precision_traffic, "mixed_precision_traffic", 0.1, 10);
  fields.set(framework.fused, "fused");
  fields.set(framework.channels_last, "channels_last");
  fields.set(framework.dense_factor, "dense_factor", 0.1, 2);
  if (const auto traffic = fields.object().optional("convolutional_mixed_traffic"))
    framework.convolutional_mixed_traffic = traffic->number(0.1, 10);
  if (const auto only = fields.object().optional("fused_channels_last_only"))
    framework.fused_channels_last_only = only->boolean();
}

Framework read_framework(const JsonValue& value, const Framework* base) {
  InheritedFields fields(value, base != nullptr);
  JsonObject& object = fields.object();
  object.expect_format("paceline/framework-1");
  static_cast<void>(object.optional("extends"));
  Framework framework = base ? *base : Framework{};
  if (base) framework.strategies.clear();
  read_names(object, framework);
  read_kernels(fields, framework);
  if (const auto traffic = fields.field("optimizer_traffic")) read_optimizer_traffic(*traffic, framework);
  if (const auto host = fields.field("host")) framework.host = read_host(*host);
  if (const auto gradients = fields.field("gradients")) framework.gradients = read_gradients(*gradients);
  read_domain(object, framework);
  if (const auto mirrored = object.optional("mirrored")) framework.mirrored = read_mirrored(*mirrored);
  if (const auto rules = object.optional("power_sgd")) framework.power_sgd = read_power_sgd(*rules);
  if (const auto horovod = object.optional("horovod")) framework.horovod = read_horovod(*horovod);
  if (const auto transformer = object.optional("transformer"))
    framework.transformer =
        read_transformer_rules(*transformer, base && base->transformer ? &*base->transformer : nullptr);
  fields.set(framework.gradients_released, "gradients_released");
  fields.set(framework.context, "context");
  fields.set(framework.communicator, "communicator");
  fields.set(framework.library_workspace, "library_workspace");
  fields.finish();
  return framework;
}

// A file and what it extends, "" for nothing.
struct Source {
  JsonValue value;
  std::string base;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      const JsonValue value = JsonValue::parse_file(file);
      JsonObject object = value.object();
      const std::string name = object.required("name").string();
      const auto base = object.optional("extends");
      if (!sources_.emplace(name, Source{value, base ? base->string() : ""}).second)
        throw InputError("framework", fmt::format("\"{}\" twice", name), "one file a name",
                         "rename one of them");
    }
  }

  std::map<std::string, Framework> read() {
    for (const auto& [name, source] : sources_) static_cast<void>(framework(name, source, 0));
    return std::move(done_);
  }

 private:
  const Framework& framework(const std::string& name, const Source& source, int depth) {
    if (const auto found = done_.find(name); found != done_.end()) return found->second;
    const Framework* base = nullptr;
    if (!source.base.empty()) {
      const auto found = sources_.find(source.base);
      if (found == sources_.end() || depth == most_extensions) {
        JsonObject object = source.value.object();
        object.required("extends").fail("another framework of this folder, that does not extend this one");
      }
      base = &framework(source.base, found->second, depth + 1);
    }
    return done_.emplace(name, read_framework(source.value, base)).first->second;
  }

  std::map<std::string, Source> sources_;
  std::map<std::string, Framework> done_;
};

}  // namespace

std::map<std::string, Framework> read_frameworks(const std::vector<std::string>& files) {
  return Reader(files).read();
}

}  // namespace paceline
