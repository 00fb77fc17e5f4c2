#include "sim/strategy/framework.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "sim/strategy/strategy.h"

namespace paceline {
namespace {

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

void read_fusion(JsonObject& object, Framework& framework) {
  if (const auto traffic = object.optional("convolutional_mixed_traffic"))
    framework.convolutional_mixed_traffic = traffic->number(0.1, 10);
  if (const auto only = object.optional("fused_channels_last_only"))
    framework.fused_channels_last_only = only->boolean();
}

// What of the catalog's questions the framework can be asked.
void read_domain(JsonObject& object, Framework& framework) {
  if (const auto list = object.optional("strategies"))
    for (const JsonValue& each : list->array())
      framework.strategies.push_back(strategy_names()[each.choice(strategy_names())]);
  if (const auto family = object.optional("models")) {
    const std::size_t only = family->choice({"convolutional", "transformer"});
    framework.convolutional_only = only == 0;
    framework.transformer_only = only == 1;
  }
  if (const auto uncertainty = object.optional("uncertainty"))
    framework.uncertainty = uncertainty->number(0, 2);
}

Framework read_framework(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/framework-1");
  Framework framework;
  framework.name = object.required("name").string();
  framework.title = object.required("title").string();
  framework.source = object.required("source").string();
  if (const auto aliases = object.optional("aliases"))
    for (const JsonValue& alias : aliases->array()) framework.aliases.push_back(alias.string());
  framework.convolutional_traffic = object.required("convolutional_traffic").number(0.1, 10);
  framework.transformer_traffic = object.required("transformer_traffic").number(0.1, 10);
  framework.mixed_precision_traffic = object.required("mixed_precision_traffic").number(0.1, 10);
  framework.fused = object.required("fused").boolean();
  framework.channels_last = object.required("channels_last").boolean();
  framework.dense_factor = object.required("dense_factor").number(0.1, 2);
  JsonObject traffic = object.required("optimizer_traffic").object();
  for (std::size_t index = 0; index < optimizer_count; ++index)
    framework.optimizer_traffic[index] = traffic.required(optimizer_names()[index]).quantity<Bytes>();
  traffic.finish();
  framework.host = read_host(object.required("host"));
  framework.gradients = read_gradients(object.required("gradients"));
  read_domain(object, framework);
  read_fusion(object, framework);
  if (const auto mirrored = object.optional("mirrored")) framework.mirrored = read_mirrored(*mirrored);
  if (const auto horovod = object.optional("horovod")) framework.horovod = read_horovod(*horovod);
  framework.gradients_released = object.required("gradients_released").boolean();
  framework.context = object.required("context").quantity<Bytes>();
  framework.communicator = object.required("communicator").quantity<Bytes>();
  framework.library_workspace = object.required("library_workspace").quantity<Bytes>();
  object.finish();
  return framework;
}

// "pytorch 1.8 + transformers 4.3" -> "pytorch": what stands before the first digit or plus sign.
std::string without_version(const std::string& name) {
  std::string text = name.substr(0, name.find_first_of("0123456789+"));
  while (!text.empty() && (text.back() == ' ' || text.back() == '-' || text.back() == 'v')) text.pop_back();
  return lower_case(text);
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names{"sgd", "momentum", "adam", "lamb", "lars", "rmsprop"};
  return names;
}

Bytes optimizer_state_per_parameter(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::sgd:
      return Bytes(0);
    case Optimizer::momentum:
    case Optimizer::lars:
      return Bytes(4);
    case Optimizer::adam:
    case Optimizer::lamb:
    case Optimizer::rmsprop:
      return Bytes(8);
  }
  return Bytes(0);
}

FrameworkCatalog FrameworkCatalog::load(const std::string& folder) {
  FrameworkCatalog catalog;
  for (const std::string& file :
       json_files(folder, "point --data or PACELINE_DATA to the project's scenarios folder")) {
    Framework framework = read_framework(JsonValue::parse_file(file));
    const std::string name = framework.name;
    const std::vector<std::string> aliases = framework.aliases;
    if (!catalog.frameworks_.emplace(name, std::move(framework)).second)
      throw InputError("framework", fmt::format("\"{}\" twice", name), "one file a name",
                       "rename one of them");
    for (const std::string& alias : aliases) {
      if (!catalog.aliases_.emplace(alias, name).second)
        throw InputError("framework", fmt::format("alias \"{}\" twice", alias), "one owner an alias",
                         "remove one of them");
    }
  }
  return catalog;
}

const Framework& FrameworkCatalog::framework(const std::string& name) const {
  const auto alias = aliases_.find(name);
  const auto found = frameworks_.find(alias == aliases_.end() ? name : alias->second);
  if (found != frameworks_.end()) return found->second;
  std::vector<std::string> known = names();
  const auto nearest = nearest_word(name, known);
  throw InputError("framework", fmt::format("\"{}\"", name), fmt::format("one of {}", fmt::join(known, ", ")),
                   nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "");
}

const Framework* FrameworkCatalog::published(const std::string& name, const std::string& family) const {
  for (const std::string& key :
       {name + "/" + family, name, without_version(name) + "/" + family, without_version(name)}) {
    const auto alias = aliases_.find(key);
    const auto found = frameworks_.find(alias == aliases_.end() ? key : alias->second);
    if (found != frameworks_.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> FrameworkCatalog::names() const {
  std::vector<std::string> list;
  for (const auto& item : frameworks_) list.push_back(item.first);
  return list;
}

}  // namespace paceline
