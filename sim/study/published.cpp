#include "sim/study/published.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "sim/study/published_fields.h"
#include "sim/study/published_machine.h"
#include "sim/study/published_megatron.h"
#include "sim/study/published_strategy.h"
#include "sim/study/published_vtrain.h"
#include "sim/study/setting.h"

namespace paceline {
namespace {

std::optional<Seconds> measured_step(JsonObject measured, const Scenario& scenario) {
  if (const auto step = number_of(measured, "step_ms")) return milliseconds(*step);
  const auto rate = number_of(measured, "samples_per_s");
  if (!rate || *rate <= 0) return std::nullopt;
  return Seconds(samples_of_step(scenario) / *rate);
}

bool judged_absolutely(JsonObject& row) {
  const auto checks = row.optional("checks");
  if (!checks) return true;
  for (const JsonValue& check : checks->array())
    if (check.string() == "step_ms") return true;
  return false;
}

PublishedRow read_row(const Catalog& catalog, const JsonValue& value) {
  JsonObject object = value.object();
  PublishedRow row;
  row.id = object.required("id").string();
  row.group = object.required("group").string();
  row.category = text_of(object, "category");
  row.quality = text_of(object, "quality");
  row.judged = judged_absolutely(object);
  Scenario scenario;
  scenario.name = row.id;
  JsonObject system = object.required("system").object();
  scenario.devices = count_of(system, "gpus", 1);
  row.why_not = fill_published_model(catalog, value, scenario, row.model);
  JsonObject model = object.required("model").object();
  if (row.why_not.empty())
    row.why_not = fill_published_strategy(catalog, value, text_of(model, "family"), scenario);
  row.step = measured_step(object.required("measured").object(), scenario);
  if (!row.why_not.empty()) return row;
  auto machine = published_machine(catalog, object.required("system").object());
  if (const auto* reason = std::get_if<std::string>(&machine)) {
    row.why_not = *reason;
    return row;
  }
  row.cluster = std::get<Cluster>(machine);
  if (const auto clock = system.optional("sustained_clock")) row.sustained_clock = clock->number(0.1, 1.5);
  scenario.cluster = row.cluster->name;
  // What the publisher's recipes set and its tables do not print.
  if (const Recipe* recipe =
          catalog.recipes.find(scenario.strategy.framework, scenario.model, row.cluster->device))
    apply(*recipe, scenario.batch_per_device, scenario.strategy);
  row.scenario = scenario;
  return row;
}

}  // namespace

PublishedFile read_published(const Catalog& catalog, const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  const JsonValue format = object.required("format");
  const std::string name = format.string();
  if (name == "published-training-1") return {read_megatron_runs(catalog, object, file)};
  if (name == "published-training-vtrain-1") return {read_vtrain_runs(catalog, object)};
  if (name != "paceline/published-1" && name != "dist-training-truth/1")
    format.fail(
        "\"paceline/published-1\", \"dist-training-truth/1\", \"published-training-1\" or "
        "\"published-training-vtrain-1\"");
  if (name == "paceline/published-1") {
    const JsonValue kind = object.required("kind");
    if (kind.string() != "training") kind.fail("\"training\"", "validate a file of training steps");
  }
  PublishedFile published;
  for (const JsonValue& row : object.required(name == "paceline/published-1" ? "rows" : "entries").array())
    published.rows.push_back(read_row(catalog, row));
  return published;
}

std::vector<std::string> published_files(const std::string& folder, const std::string& wanted) {
  std::vector<std::string> files;
  for (const std::string& file : json_files(folder, "name the files to judge by")) {
    JsonObject object = JsonValue::parse_file(file).object();
    const auto kind = object.optional("kind");
    if (kind && kind->is_string() && kind->string() == wanted) files.push_back(file);
  }
  return files;
}

}  // namespace paceline
