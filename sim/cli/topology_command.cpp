#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/hardware/cluster_writer.h"
#include "sim/hardware/hardware_files.h"
#include "sim/hardware/topo_cluster.h"
#include "sim/hardware/topology_report.h"
#include "sim/study/catalog.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string cluster, from, device, fabric, nic_rate, json, write_cluster;
  int nodes = 1;
};

// What only makes sense together, or not together.
void check(const Options& options) {
  const auto needs = [](const char* option, const char* other) {
    throw InputError(option, fmt::format("it without {}", other), "both",
                     fmt::format("add {}, or leave {} out", other, option));
  };
  if (!options.from.empty() && !options.cluster.empty())
    throw InputError("CLUSTER", fmt::format("\"{}\" with --from", options.cluster), "one of them",
                     "leave one of them out");
  if (options.from.empty() && options.cluster.empty())
    throw InputError("CLUSTER", "none", "a cluster, or --from FILE",
                     "`paceline list clusters` shows those of the catalog");
  if (!options.from.empty() && options.device.empty()) needs("--from", "--device");
  if (options.from.empty() && !options.device.empty()) needs("--device", "--from");
  if (options.from.empty() && !options.fabric.empty()) needs("--fabric", "--from");
  if (options.fabric.empty() && !options.nic_rate.empty()) needs("--nic-rate", "--fabric");
  if (!options.fabric.empty() && options.nic_rate.empty()) needs("--fabric", "--nic-rate");
}

// The catalog finds a file by its name, which the schema restricts.
std::string name_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  const auto allowed = [](unsigned char letter) {
    return std::islower(letter) != 0 || std::isdigit(letter) != 0 || letter == '.' || letter == '+' ||
           letter == '-';
  };
  if (!name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
      std::all_of(name.begin(), name.end(), allowed))
    return name;
  throw InputError("--write-cluster", fmt::format("the name \"{}\"", name),
                   "small letters, digits and - . + before .json", "call the file my-machine.json");
}

BytesPerSecond rate_of(const std::string& text) {
  try {
    const auto rate = parse_quantity<BytesPerSecond>(text);
    if (rate.value() > 0) return rate;
  } catch (const std::invalid_argument&) {  // said below
  }
  throw InputError("--nic-rate", fmt::format("\"{}\"", text), quantity_words<BytesPerSecond>() + " above 0",
                   "");
}

Cluster cluster_of(const Options& options, const HardwareCatalog& catalog) {
  if (!options.from.empty()) {
    TopoQuestion question{options.from, "topo", options.fabric, {}};
    if (!options.write_cluster.empty()) question.name = name_of(options.write_cluster);
    if (!options.fabric.empty()) {
      static_cast<void>(catalog.fabric(options.fabric));
      question.nic_rate = rate_of(options.nic_rate);
    }
    return cluster_from_matrix(read_topo_matrix(read_file(options.from), options.from),
                               catalog.device(options.device), question);
  }
  if (options.cluster.ends_with(".json")) return read_cluster(JsonValue::parse_file(options.cluster));
  return catalog.cluster(options.cluster);
}

void print(const TopologyReport& report) {
  fmt::print("{}\n\n{}", report.title, to_text(report.paths));
  if (!report.paths_note.empty()) fmt::print("({})\n", report.paths_note);
  fmt::print("\n{}", to_text(report.links));
  if (!report.rings.rows.empty()) fmt::print("\n{}", to_text(report.rings));
  if (!report.network.empty()) fmt::print("\nnetwork: {}\n", report.network);
  if (!report.shares.rows.empty()) fmt::print("{}", to_text(report.shares));
}

void run(const Options& options, const CommonOptions& common) {
  check(options);
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  const Cluster cluster = cluster_of(options, catalog.hardware);
  const Device& device = catalog.hardware.device(cluster.device);
  const TopologyReport report = topology_report(cluster, device, options.nodes);
  if (!options.json.empty()) check_output(options.json);
  if (!options.write_cluster.empty()) write_file(options.write_cluster, cluster_json(cluster, device));
  if (options.json != "-") print(report);
  if (!options.json.empty()) write_output(options.json, report.json);
}

}  // namespace

void add_topology(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("topology", "show what links a cluster's devices, and what they let through");
  command->add_option("CLUSTER", options->cluster, "a cluster of the catalog, or a cluster's file (.json)");
  command->add_option("--nodes", options->nodes, "nodes, 1 if not given")->check(CLI::PositiveNumber);
  command->add_option("--from", options->from, "output of `nvidia-smi topo -m`, in place of a cluster");
  command->add_option("--device", options->device, "the devices of that machine");
  command->add_option("--fabric", options->fabric, "what joins that machine's NICs to others");
  command->add_option("--nic-rate", options->nic_rate, "of one NIC, one direction: 400Gb/s");
  command->add_option("--json", options->json, "write the topology as JSON; - for standard output");
  command->add_option("--write-cluster", options->write_cluster, "write the cluster's file");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
