#include <fmt/format.h>

#include <memory>

#include "base/table.h"
#include "sim/cli/commands.h"
#include "sim/study/catalog.h"

namespace paceline::cli {
namespace {

Table devices(const Catalog& catalog) {
  Table table{{{"name", false},
               {"title", false},
               {"architecture", false},
               {"memory"},
               {"bandwidth"},
               {"fp32"},
               {"fp16"}},
              {}};
  for (const std::string& name : catalog.hardware.device_names()) {
    const Device& device = catalog.hardware.device(name);
    const auto peak = [&](Precision precision) {
      const auto& value = device.peak[static_cast<std::size_t>(precision)];
      return value ? to_string(*value) : std::string("-");
    };
    table.rows.push_back({name, device.title, device.architecture, to_binary_string(device.memory),
                          to_string(device.memory_bandwidth), peak(Precision::fp32), peak(Precision::fp16)});
  }
  return table;
}

Table clusters(const Catalog& catalog) {
  Table table{{{"name", false}, {"title", false}, {"device", false}, {"devices a node"}, {"network", false}},
              {}};
  for (const std::string& name : catalog.hardware.cluster_names()) {
    const Cluster& cluster = catalog.hardware.cluster(name);
    const std::string network =
        cluster.network ? fmt::format("{} x {:g} Gb/s {}", cluster.network->nics,
                                      cluster.network->rate.value() * 8e-9, cluster.network->fabric)
                        : std::string("-");
    table.rows.push_back(
        {name, cluster.title, cluster.device, std::to_string(cluster.devices_per_node), network});
  }
  return table;
}

Table models(const Catalog& catalog) {
  Table table{{{"name", false}, {"title", false}, {"parameters"}, {"GMAC a sample"}}, {}};
  for (const std::string& name : catalog.models.names()) {
    const Model model = catalog.models.build(name);
    table.rows.push_back({name, model.title, std::to_string(model.parameter_count()),
                          fmt::format("{:.4g}", model.forward_multiply_adds() * 1e-9)});
  }
  return table;
}

Table frameworks(const Catalog& catalog) {
  Table table{{{"name", false}, {"title", false}}, {}};
  for (const std::string& name : catalog.frameworks.names())
    table.rows.push_back({name, catalog.frameworks.framework(name).title});
  return table;
}

Table presets(const Catalog& catalog) {
  Table table{{{"name", false}, {"title", false}, {"framework", false}}, {}};
  for (const Preset& preset : catalog.presets.all())
    table.rows.push_back({preset.name, preset.title, preset.framework});
  return table;
}

}  // namespace

void add_list(CLI::App& app, const CommonOptions& common, int&) {
  auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "show the catalog");
  command->add_option("WHAT", *what, "devices, clusters, models, frameworks or presets")
      ->required()
      ->check(CLI::IsMember({"devices", "clusters", "models", "frameworks", "presets"}));
  command->callback([what, &common] {
    const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
    const Table table = *what == "devices"    ? devices(catalog)
                        : *what == "clusters" ? clusters(catalog)
                        : *what == "models"   ? models(catalog)
                        : *what == "presets"  ? presets(catalog)
                                              : frameworks(catalog);
    fmt::print("{}", to_text(table));
  });
}

}  // namespace paceline::cli
