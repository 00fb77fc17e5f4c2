#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/study/memory/validate_memory.h"

namespace paceline {
namespace {

std::string percent(const MemoryErrors& errors, double value) {
  return errors.count == 0 ? "-" : fmt::format("{:.3g}", value * 100);
}

std::vector<std::string> cells_of(const MemoryGroup& group) {
  const bool has_static = group.between_steps.count > 0;
  return {group.name,
          std::to_string(group.rows),
          std::to_string(group.answered),
          percent(group.between_steps, group.between_steps.median),
          percent(group.between_steps, group.between_steps.p90),
          has_static ? fmt::format("{:.0f}", group.within * 100) : "-",
          has_static ? fmt::format("{:.1f}", group.spread / mebibytes(1)) : "-",
          std::to_string(group.answered_peak),
          percent(group.peak, group.peak.mean),
          percent(group.peak, group.peak.median),
          percent(group.peak, group.peak.p90),
          percent(group.peak, group.peak.largest),
          percent(group.reserved, group.reserved.median),
          percent(group.reserved, group.reserved.p90)};
}

nlohmann::ordered_json json_of(const JudgedMemory& rank) {
  using Json = nlohmann::ordered_json;
  const auto measured = [](const std::optional<Bytes>& bytes) {
    return bytes ? Json(bytes->value()) : Json();
  };
  const auto predicted = [&](Bytes bytes) { return rank.has_peak ? Json(bytes.value()) : Json(); };
  return {{"rank", rank.measured.rank},
          {"stage", rank.measured.stage},
          {"static", rank.between_steps.value()},
          {"static_measured", measured(rank.measured.between_steps)},
          {"peak", predicted(rank.peak)},
          {"peak_measured", measured(rank.measured.peak)},
          {"reserved", predicted(rank.reserved)},
          {"reserved_measured", measured(rank.measured.reserved)},
          {"moment", rank.moment}};
}

}  // namespace

Table memory_validation_table(const MemoryValidation& validation) {
  Table table{{{"group", false},
               {"rows"},
               {"answered"},
               {"static: median %"},
               {"p90 %"},
               {"within %"},
               {"spread MiB"},
               {"peak: rows"},
               {"mean %"},
               {"median %"},
               {"p90 %"},
               {"worst %"},
               {"reserved: median %"},
               {"p90 %"}},
              {}};
  for (const MemoryGroup& group : validation.groups) table.rows.push_back(cells_of(group));
  return table;
}

Table unanswered_memory_table(const MemoryValidation& validation) {
  std::map<std::string, std::size_t> reasons;
  for (const JudgedMemoryRow& row : validation.rows) {
    if (!row.why_not.empty()) ++reasons[row.why_not];
    if (row.ranks.empty() || row.why_no_peak.empty()) continue;
    ++reasons["no peak: " + row.why_no_peak];
  }
  Table table{{{"rows"}, {"not answered because", false}}, {}};
  for (const auto& [reason, rows] : reasons) table.rows.push_back({std::to_string(rows), reason});
  return table;
}

std::string memory_validation_json(const MemoryValidation& validation) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", "paceline/memory-validation-1"}, {"rows", Json::array()}};
  for (const JudgedMemoryRow& row : validation.rows) {
    Json ranks = Json::array();
    for (const JudgedMemory& rank : row.ranks) ranks.push_back(json_of(rank));
    json["rows"].push_back({{"id", row.id},
                            {"group", row.group},
                            {"why_not", row.why_not.empty() ? Json() : Json(row.why_not)},
                            {"why_no_peak", row.why_no_peak.empty() ? Json() : Json(row.why_no_peak)},
                            {"ranks", ranks}});
  }
  return json.dump(1) + "\n";
}

}  // namespace paceline
