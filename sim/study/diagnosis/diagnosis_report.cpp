#include "sim/study/diagnosis/diagnosis_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/table.h"

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

double micro(Seconds time) { return time.value() * 1e6; }
double giga(BytesPerSecond rate) { return rate.value() / 1e9; }

Table table_of(const TableDiagnosis& result) {
  Table table{{{"size"},
               {"us"},
               {"expected us"},
               {"from"},
               {"to"},
               {"busbw GB/s"},
               {"expected"},
               {"ratio"},
               {"expected algorithm", false}},
              {}};
  for (const DiagnosedRow& row : result.rows)
    table.rows.push_back({to_binary_string(row.bytes), fmt::format("{:.1f}", micro(row.measured)),
                          fmt::format("{:.1f}", micro(row.expected)), fmt::format("{:.1f}", micro(row.low)),
                          fmt::format("{:.1f}", micro(row.high)), fmt::format("{:.2f}", giga(row.busbw)),
                          fmt::format("{:.2f}", giga(row.expected_busbw)),
                          fmt::format("{:.2f}{}", row.ratio, row.decides ? "" : " -"),
                          row.algorithm + " " + row.protocol});
  return table;
}

// Below the table, where a ratio is marked.
std::string legend_of(const TableDiagnosis& result) {
  const bool marked = std::any_of(result.rows.begin(), result.rows.end(),
                                  [](const DiagnosedRow& row) { return !row.decides; });
  return marked ? "- does not decide: a small size, a cold first call, or columns that disagree\n" : "";
}

std::string verdict_of(const TableDiagnosis& result) {
  std::string text = fmt::format("{}: {}", to_string(result.verdict), result.reason);
  if (result.departs) text += fmt::format("; from {} on", to_binary_string(*result.departs));
  return text;
}

std::string rates_of(const Cause& cause) {
  if (cause.implied.empty() || cause.expected.empty()) return "";
  return fmt::format("{}, expected {}", cause.implied, cause.expected);
}

Json json_of(const DiagnosedRow& row) {
  return {{"bytes", row.bytes.value()},
          {"measured_us", micro(row.measured)},
          {"expected_us", micro(row.expected)},
          {"low_us", micro(row.low)},
          {"high_us", micro(row.high)},
          {"least_us", micro(row.least)},
          {"busbw_gb_per_s", giga(row.busbw)},
          {"expected_busbw_gb_per_s", giga(row.expected_busbw)},
          {"ratio", row.ratio},
          {"algorithm", row.algorithm},
          {"protocol", row.protocol},
          {"decides", row.decides}};
}

Json json_of(const TableDiagnosis& result) {
  Json json{{"name", result.name},
            {"cluster", result.cluster},
            {"collective", result.table.collective},
            {"ranks", result.group.ranks},
            {"nodes", result.group.nodes()},
            {"verdict", to_string(result.verdict)},
            {"reason", result.reason},
            {"median_ratio", result.median_ratio},
            {"suspicious_from", result.warn}};
  if (result.departs) json["departs_bytes"] = result.departs->value();
  json["rows"] = Json::array();
  for (const DiagnosedRow& row : result.rows) json["rows"].push_back(json_of(row));
  json["causes"] = Json::array();
  for (const Cause& cause : result.causes)
    json["causes"].push_back({{"title", cause.title},
                              {"evidence", cause.evidence},
                              {"implied", cause.implied},
                              {"expected", cause.expected},
                              {"next", cause.command}});
  json["notes"] = result.notes;
  return json;
}

}  // namespace

std::string to_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const TableDiagnosis& result : diagnosis.tables) {
    text += fmt::format("{}{}\n\n{}\n{}\n", text.empty() ? "" : "\n", result.name, to_text(table_of(result)),
                        verdict_of(result));
    for (std::size_t index = 0; index < result.causes.size(); ++index) {
      const Cause& cause = result.causes[index];
      text += fmt::format("\n{}. {}: {}\n", index + 1, cause.title, cause.evidence);
      if (const std::string rates = rates_of(cause); !rates.empty()) text += fmt::format("   {}\n", rates);
      text += fmt::format("   next: {}\n", cause.command);
    }
    if (!result.notes.empty()) text += "\n";
    for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  }
  for (const std::string& repair : diagnosis.repairs) text += fmt::format("repaired: {}\n", repair);
  return text;
}

std::string to_markdown(const Diagnosis& diagnosis) {
  std::string text = fmt::format("# {}\n", diagnosis.file);
  for (const TableDiagnosis& result : diagnosis.tables) {
    text += fmt::format("\n## {}\n\n**{}**\n\n{}", result.name, verdict_of(result),
                        to_markdown(table_of(result)));
    if (const std::string legend = legend_of(result); !legend.empty()) text += "\n" + legend;
    if (!result.causes.empty()) text += "\n";
    for (std::size_t index = 0; index < result.causes.size(); ++index) {
      const Cause& cause = result.causes[index];
      const std::string rates = rates_of(cause);
      text += fmt::format("{}. **{}**: {}{}{}. Next: `{}`\n", index + 1, cause.title, cause.evidence,
                          rates.empty() ? "" : "; ", rates, cause.command);
    }
    if (!result.notes.empty()) text += "\n";
    for (const std::string& note : result.notes) text += fmt::format("- {}\n", note);
  }
  return text;
}

std::string diagnosis_json(const Diagnosis& diagnosis) {
  Json json{{"format", "paceline/collective-diagnosis-1"},
            {"file", diagnosis.file},
            {"normal", diagnosis.normal()}};
  json["tables"] = Json::array();
  for (const TableDiagnosis& result : diagnosis.tables) json["tables"].push_back(json_of(result));
  json["repairs"] = diagnosis.repairs;
  return json.dump(1) + "\n";
}

}  // namespace paceline
