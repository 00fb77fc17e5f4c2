#include "sim/study/published_vtrain.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"
#include "sim/study/memory/row_fields.h"
#include "sim/study/published_fields.h"
#include "sim/study/published_machine.h"
#include "sim/study/published_parallel.h"
#include "sim/study/published_words.h"

namespace paceline {
namespace {

// Bang et al., vTrain, MICRO 2024: nodes of eight A100 on NVSwitch, joined by four rails of InfiniBand HDR.
constexpr int rails = 4;
// The publication's own default.
constexpr std::int64_t vocabulary = 50257;

std::variant<Cluster, std::string> machine_of(const Catalog& catalog, JsonObject system) {
  const std::string gpu = text_of(system, "gpu");
  const Device* device = published_device(catalog, gpu);
  if (!device || !device->nvlink) return fmt::format("device \"{}\" is not in the catalog", gpu);
  Cluster cluster;
  cluster.device = device->name;
  cluster.devices_per_node = count_of(system, "gpus_per_node", 8);
  cluster.interconnect.kind = InterconnectKind::nvswitch;
  cluster.interconnect.rate = device->nvlink->rate * device->nvlink->links;
  if (count_of(system, "nodes", 1) > 1) {
    const std::string words = text_of(system, "inter");  // "800 Gb/s a node in the source configuration"
    const double gigabits = std::strtod(words.c_str(), nullptr);
    if (!(gigabits > 0)) return fmt::format("the network between nodes is not known: \"{}\"", words);
    cluster.network = Network{"infiniband", rails, BytesPerSecond(gigabits * 1e9 / 8 / rails)};
    cluster.max_nodes = 1 << 20;
  }
  cluster.name = fmt::format("vtrain:{}:{}:{}", gpu, cluster.devices_per_node,
                             cluster.network ? to_string(cluster.network->rate) : "one node");
  cluster.title = cluster.name;
  return cluster;
}

// The code that was measured is Megatron-LM of 2021 inside DeepSpeed: attention is not fused.
const Framework* framework_of(const Catalog& catalog, const std::string& name) {
  const Framework* early = catalog.frameworks.published(lower_case(name) + "-2021", "gpt");
  return early ? early : catalog.frameworks.published(name, "gpt");
}

std::string fill_strategy(const Catalog& catalog, const JsonValue& row, std::int64_t layers,
                          Scenario& scenario) {
  JsonObject object = row.object();
  JsonObject fields = object.required("strategy").object();
  const std::string name = text_of(fields, "framework"), precision = text_of(fields, "precision");
  const Framework* framework = framework_of(catalog, name);
  if (!framework || !framework->transformer)
    return fmt::format("framework \"{}\" is not in the catalog", name);
  const auto numbers = numbers_of(precision);
  if (!numbers) return fmt::format("precision \"{}\" is not modelled", precision);
  Strategy& strategy = scenario.strategy;
  strategy.kind = StrategyKind::distributed_data_parallel;
  strategy.framework = framework->name;
  strategy.optimizer = Optimizer::adam;
  strategy.accumulation = count_of(fields, "accum", 1);
  scenario.batch_per_device = count_of(fields, "micro_batch", 1);
  scenario.precision = numbers->precision;
  std::string reason = fill_published_parallelism(row, *framework, layers, strategy);
  if (text_of(fields, "gradient_buckets").starts_with("none"))
    strategy.overlap = strategy.parallel.overlap_gradients = false;
  return reason;
}

PublishedRow read_run(const Catalog& catalog, const JsonValue& value) {
  JsonObject object = value.object();
  PublishedRow row;
  row.id = object.required("id").string();
  row.group = text_of(object, "group");
  row.category = text_of(object, "category");
  row.quality = "A";
  row.judged = true;
  JsonObject measured = object.required("measured").object();
  if (const auto step = number_of(measured, "step_ms")) row.step = milliseconds(*step);
  Scenario scenario;
  scenario.name = row.id;
  JsonObject system = object.required("system").object();
  scenario.devices = count_of(system, "gpus", 1);
  RowFields model(object.required("model"));
  const auto size = [&](const char* name) { return model.count({name}).value_or(0); };
  const DecoderSpec spec =
      megatron_gpt(size("layers"), size("hidden"), size("heads"),
                   model.count({"ffn"}).value_or(4 * size("hidden")), vocabulary, size("seq"));
  if (spec.layers < 1 || spec.block.attention.head_size < 1 || spec.sequence < 1)
    row.why_not = "the shape of the model is not stated";
  if (row.why_not.empty()) row.why_not = fill_strategy(catalog, value, spec.layers, scenario);
  auto machine = machine_of(catalog, object.required("system").object());
  if (const auto* reason = std::get_if<std::string>(&machine); reason && row.why_not.empty())
    row.why_not = *reason;
  if (!row.why_not.empty()) return row;
  row.model = published_decoder(spec);
  row.cluster = std::get<Cluster>(machine);
  scenario.model = row.model->name;
  scenario.cluster = row.cluster->name;
  row.scenario = scenario;
  return row;
}

}  // namespace

std::vector<PublishedRow> read_vtrain_runs(const Catalog& catalog, JsonObject& file) {
  std::vector<PublishedRow> rows;
  for (const JsonValue& value : file.required("entries").array()) rows.push_back(read_run(catalog, value));
  return rows;
}

}  // namespace paceline
