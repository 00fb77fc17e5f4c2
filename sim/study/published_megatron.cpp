#include "sim/study/published_megatron.h"

#include <filesystem>

#include "sim/study/measured_operators.h"
#include "sim/study/memory/megatron_words.h"
#include "sim/study/published_fields.h"
#include "sim/study/published_machine.h"
#include "sim/study/published_words.h"

namespace paceline {
namespace {

// What the file says of all its runs.
struct MegatronRuns {
  Cluster cluster;
  std::string group, why_not;
  const Framework* framework = nullptr;
  std::optional<double> clock;
};

// Experts padded to the capacity that an even choice fills: no counts have to reach the host.
constexpr double capacity_factor = 1;

MegatronRuns read_file(const Catalog& catalog, JsonObject& file, const std::string& path) {
  MegatronRuns runs;
  runs.group = text_of(file, "group");
  runs.framework = catalog.frameworks.published("megatron-core", "gpt");
  if (!runs.framework) runs.why_not = "framework \"megatron-core\" is not in the catalog";
  auto machine = published_machine(catalog, file.required("system").object());
  if (const auto* reason = std::get_if<std::string>(&machine))
    runs.why_not = *reason;
  else
    runs.cluster = std::get<Cluster>(machine);
  const std::string table = text_of(file, "calibration");
  if (runs.why_not.empty() && !table.empty())
    runs.clock = sustained_clock_of(catalog, runs.cluster.device,
                                    (std::filesystem::path(path).parent_path() / table).string());
  return runs;
}

// Nothing runs beside anything else unless the row says so.
void fill_parallelism(JsonObject fields, const megatron::TrainingRun& run, Parallelism& parallel) {
  parallel.degrees = {static_cast<int>(run.mesh.tensor), static_cast<int>(run.mesh.pipeline),
                      static_cast<int>(run.mesh.virtual_stages), static_cast<int>(run.mesh.context),
                      static_cast<int>(run.mesh.expert)};
  parallel.sequence_parallel = run.sequence_parallel;
  parallel.schedule = schedule_of(text_of(fields, "schedule"));
  parallel.zero_stage = run.distributed_optimizer ? 1 : 0;
  if (run.context_all_to_all) parallel.context_exchange = ContextExchange::all_to_all;
  const auto value = fields.optional("overlap");
  std::optional<JsonObject> overlap;
  if (value && value->is_object()) overlap = value->object();
  const auto runs_beside = [&](const char* name) {
    return overlap && flag_of(*overlap, name).value_or(false);
  };
  parallel.overlap_gradients = runs_beside("grad_reduce");
  parallel.overlap_parameters = runs_beside("param_gather");
  parallel.tensor_overlap = runs_beside("tp");
  parallel.pipeline_overlap = runs_beside("p2p");
  if (!run.model.block.experts) return;
  parallel.dispatcher = Dispatcher::all_to_all;
  parallel.expert_overlap = false;
  parallel.capacity_factor = run.capacity_factor;
  parallel.token_drop = run.capacity_factor.has_value();
}

Recompute recompute_of_run(megatron::Recompute recompute) {
  if (recompute == megatron::Recompute::none) return Recompute::none;
  return recompute == megatron::Recompute::selective ? Recompute::selective : Recompute::full;
}

Scenario scenario_of(const JsonValue& row, const MegatronRuns& runs, const megatron::TrainingRun& run) {
  JsonObject object = row.object();
  JsonObject fields = object.required("strategy").object();
  Scenario scenario;
  scenario.cluster = runs.cluster.name;
  scenario.devices = static_cast<int>(run.mesh.world());
  scenario.precision = run.precision == megatron::Precision::fp16 ? Precision::fp16 : Precision::bf16;
  scenario.batch_per_device = static_cast<int>(run.micro_batch);
  Strategy& strategy = scenario.strategy;
  strategy.kind = run.distributed_optimizer ? StrategyKind::zero : StrategyKind::distributed_data_parallel;
  strategy.framework = runs.framework->name;
  strategy.optimizer = Optimizer::adam;
  strategy.accumulation = static_cast<int>(run.micro_batches);
  fill_parallelism(fields, run, strategy.parallel);
  strategy.overlap = strategy.parallel.overlap_gradients;
  strategy.parallel.recompute = recompute_of_run(run.recompute);
  return scenario;
}

PublishedRow read_run(const JsonValue& value, const MegatronRuns& runs) {
  JsonObject object = value.object();
  PublishedRow row;
  row.id = object.required("id").string();
  JsonObject model = object.required("model").object();
  row.group = runs.group + "-" + text_of(model, "name");
  row.category = runs.cluster.device;
  row.quality = "A";
  row.judged = true;
  JsonObject measured = object.required("measured").object();
  if (const auto step = number_of(measured, "step_ms")) row.step = milliseconds(*step);
  const MegatronDefaults defaults{true, true, capacity_factor, true};
  const MegatronWords words = megatron_words(object.required("model"), object.required("strategy"), defaults);
  row.why_not = runs.why_not.empty() ? words.why_not : runs.why_not;
  if (!row.why_not.empty()) return row;
  row.model = published_decoder(words.run.model);
  row.cluster = runs.cluster;
  row.sustained_clock = runs.clock;
  row.scenario = scenario_of(value, runs, words.run);
  row.scenario->name = row.id;
  row.scenario->model = row.model->name;
  return row;
}

}  // namespace

std::vector<PublishedRow> read_megatron_runs(const Catalog& catalog, JsonObject& file,
                                             const std::string& path) {
  const MegatronRuns runs = read_file(catalog, file, path);
  std::vector<PublishedRow> rows;
  for (const JsonValue& value : file.required("entries").array()) rows.push_back(read_run(value, runs));
  return rows;
}

}  // namespace paceline
