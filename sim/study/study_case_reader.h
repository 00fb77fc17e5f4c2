// What a case of a study is read from: the study's defaults, one of its models, one of its platforms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline {

struct StudyPlatform {
  JsonValue value;                    // its own fields and those of a scenario
  std::vector<JsonValue> strategies;  // names of kinds and presets
  std::vector<int> devices;
  std::vector<int> nodes;  // of DDP and presets
};

class StudyCaseReader {
 public:
  // `common`: the defaults, if any, and a model. Catalog and platform must outlive it. Throws InputError when
  // the parts name different strategies and a preset is among them.
  StudyCaseReader(const Catalog& catalog, std::vector<JsonValue> common, const StudyPlatform& platform);

  // Whether the parts name a preset as their strategy.
  [[nodiscard]] bool names_preset() const { return preset_.has_value(); }
  [[nodiscard]] bool is_preset(const JsonValue& strategy) const;
  // `listed`: the platform's word for the strategy; it decides the kind, and a preset is the base of the
  // rest. Without it the strategy is the one of the parts.
  [[nodiscard]] Scenario read(const std::optional<JsonValue>& listed) const;

 private:
  [[nodiscard]] std::vector<JsonValue> parts() const;
  void check_presets();

  const Catalog& catalog_;
  std::vector<JsonValue> common_;
  const StudyPlatform& platform_;
  ScenarioLookup lookup_;
  std::optional<std::string> preset_;
};

}  // namespace paceline
