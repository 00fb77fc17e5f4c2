#include "sim/study/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "sim/strategy/strategy.h"

namespace paceline {
namespace {

Preset read_preset(const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/preset-1");
  Preset preset{.name = object.required("name").string(),
                .title = object.required("title").string(),
                .source = object.required("source").string(),
                .aliases = {},
                .framework = object.required("framework").string(),
                .strategy = object.required("strategy")};
  if (const auto aliases = object.optional("aliases"))
    for (const JsonValue& alias : aliases->array()) preset.aliases.push_back(alias.string());
  object.finish();
  const std::string stem = std::filesystem::path(file).stem().string();
  if (preset.name != stem) object.required("name").fail(fmt::format("the file's name \"{}\"", stem));
  if (!preset.strategy.is_object()) preset.strategy.fail("an object with \"kind\"");
  return preset;
}

// A preset may not hide a strategy or another preset.
void check_free(const PresetCatalog& catalog, const std::string& name, const std::string& file) {
  const auto& kinds = strategy_names();
  if (std::find(kinds.begin(), kinds.end(), name) != kinds.end() || catalog.find(name) != nullptr)
    throw InputError(file, fmt::format("the name \"{}\"", name), "one that no strategy or preset has",
                     "rename one of them");
}

}  // namespace

PresetCatalog PresetCatalog::load(const std::string& folder) {
  PresetCatalog catalog;
  if (!std::filesystem::is_directory(folder)) return catalog;
  for (const std::string& file : json_files(folder, "keep one preset a file")) {
    Preset preset = read_preset(file);
    check_free(catalog, preset.name, file);
    for (const std::string& alias : preset.aliases) check_free(catalog, alias, file);
    catalog.presets_.push_back(std::move(preset));
  }
  std::sort(catalog.presets_.begin(), catalog.presets_.end(),
            [](const Preset& a, const Preset& b) { return a.name < b.name; });
  return catalog;
}

const Preset* PresetCatalog::find(const std::string& name) const {
  const auto found = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& each) {
    return each.name == name ||
           std::find(each.aliases.begin(), each.aliases.end(), name) != each.aliases.end();
  });
  return found == presets_.end() ? nullptr : &*found;
}

std::vector<std::string> PresetCatalog::names() const {
  std::vector<std::string> names;
  for (const Preset& preset : presets_) names.push_back(preset.name);
  return names;
}

}  // namespace paceline
