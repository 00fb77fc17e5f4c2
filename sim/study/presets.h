// Presets: what a library does by default, as scenario fields under one name ("fsdp2", "megatron").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"

namespace paceline {

// Its strategy is read where it is asked for, over the strategy that it fills the defaults of.
struct Preset {
  std::string name, title, source;
  std::vector<std::string> aliases;
  std::string framework;
  JsonValue strategy;
};

class PresetCatalog {
 public:
  // Reads every *.json of the folder; none when there is no such folder. Throws InputError.
  static PresetCatalog load(const std::string& folder);

  [[nodiscard]] const Preset* find(const std::string& name) const;  // by name or alias; null: not known
  [[nodiscard]] std::vector<std::string> names() const;             // sorted, without aliases
  [[nodiscard]] const std::vector<Preset>& all() const { return presets_; }

 private:
  std::vector<Preset> presets_;  // by name
};

}  // namespace paceline
