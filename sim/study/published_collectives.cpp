#include "sim/study/published_collectives.h"

#include <set>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "sim/study/collective_machine.h"
#include "sim/study/published_fields.h"

namespace paceline {
namespace {

// "Ring (NCCL_NVLS_ENABLE=0)", "NVLS", "auto", "SHARP offered": what was forced. What the library chose by
// itself and the table only names is not a setting.
void read_choice(const std::string& algorithm, const std::string& protocol, PublishedCollective& table) {
  if (contains(algorithm, "NVLS_ENABLE=0")) {
    table.settings.nvls = false;
  } else if (contains(algorithm, "forced")) {
    const std::string name = algorithm.substr(0, algorithm.find(' '));
    set_environment(table.settings, table.kind, "NCCL_ALGO", name);
  } else if (contains(algorithm, "SHARP")) {
    table.settings.collnet = true;
  }
  if (protocol == "LL" || protocol == "LL128" || protocol == "Simple")
    set_environment(table.settings, table.kind, "NCCL_PROTO", protocol);
}

// Who launched: a field of its own, or what the table says of itself.
LaunchStyle style_of(const std::string& launch, const std::string& tool, const std::string& note) {
  if (const auto style = launch_style(launch)) return *style;
  if (contains(note, "single-process") || contains(note, "single process")) return LaunchStyle::one_process;
  if (contains(tool, "torch") || contains(note, "PyTorch-level")) return LaunchStyle::framework;
  if (contains(note, "CUDA-graph")) return LaunchStyle::graph;
  return LaunchStyle::process_per_device;
}

void read_points(const JsonValue& value, const std::set<double>& outliers, PublishedCollective& table) {
  for (const JsonValue& row : value.array()) {
    const auto cells = row.array();
    if (cells.size() < 2) row.fail("bytes and microseconds");
    const double bytes = cells[0].number(0, 1e15), micro = cells[1].number(1e-3, 1e12);
    table.points.push_back({Bytes(bytes), microseconds(micro), outliers.contains(bytes)});
  }
}

PublishedCollective read_table(const Catalog& catalog, JsonObject entry) {
  PublishedCollective table;
  table.id = entry.required("id").string();
  table.machine_class = text_of(entry, "hw_class");
  table.note = text_of(entry, "note");
  const std::string anomaly = text_of(entry, "anomaly"), launch = text_of(entry, "launch");
  if (const std::string known = text_of(entry, "known"); !known.empty()) table.note = known;
  if (const auto healthy = entry.optional("healthy")) table.healthy = healthy->boolean();
  JsonObject run = entry.required("run").object(), system = entry.required("system").object();
  const auto kind = collective_kind(text_of(run, "collective"));
  const auto type = data_type(text_of(run, "dtype"));
  if (kind) table.kind = *kind;
  if (type) table.settings.type = *type;
  // A library that is not named: nccl-tests run NCCL, rccl-tests RCCL.
  const std::string tool = text_of(run, "tool"), library = text_of(run, "lib");
  if (const auto named = parse_library(library))
    table.settings.library = *named;
  else if (contains(tool, "rccl"))
    table.settings.library.name = LibraryName::rccl;
  read_choice(text_of(run, "algo"), text_of(run, "proto"), table);
  table.settings.style = style_of(launch, tool, table.note);
  std::set<double> outliers;
  if (const auto list = entry.optional("outlier_bytes"))
    for (const JsonValue& bytes : list->array()) outliers.insert(bytes.number(0, 1e15));
  read_points(entry.required("points"), outliers, table);
  MachineWords words{text_of(system, "gpu"),       text_of(system, "intra"),
                     text_of(system, "nic"),       count_of(system, "gpus_per_node", 1),
                     count_of(system, "nodes", 1), count_of(run, "ranks", 1)};
  const auto machine = collective_machine(catalog, words);
  if (const auto* reason = std::get_if<std::string>(&machine))
    table.why_not = *reason;
  else
    table.cluster = std::get<Cluster>(machine);
  if (!kind) table.why_not = "the collective is not known";
  if (!table.why_not.empty()) table.cluster.reset();
  if (table.cluster) table.group = {words.ranks, table.cluster->devices_per_node};
  if (!anomaly.empty()) table.note += (table.note.empty() ? "" : "; ") + anomaly;
  return table;
}

}  // namespace

std::vector<PublishedCollective> read_published_collectives(const Catalog& catalog, const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  const JsonValue format = object.required("format");
  const bool own = format.string() == "paceline/published-1";
  if (!own && format.string() != "truth-collectives/1")
    format.fail("\"paceline/published-1\" or \"truth-collectives/1\"");
  if (own && object.required("kind").string() != "collectives")
    object.required("kind").fail("\"collectives\"");
  std::vector<PublishedCollective> tables;
  for (const JsonValue& value : object.required(own ? "tables" : "entries").array()) {
    JsonObject entry = value.object();
    if (!own && entry.required("kind").string() != "collective") continue;
    tables.push_back(read_table(catalog, std::move(entry)));
  }
  return tables;
}

}  // namespace paceline
