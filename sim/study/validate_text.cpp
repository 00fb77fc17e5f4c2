#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/study/core_groups.h"
#include "sim/study/validate.h"

namespace paceline {

Table validation_table(const Validation& validation) {
  Table table{{{"of", false},
               {"name", false},
               {"rows"},
               {"answered"},
               {"median %"},
               {"p90 %"},
               {"mean %"},
               {"mean % of step"},
               {"bias %"},
               {"max %"},
               {"efficiency points"},
               {"inside interval %"}},
              {}};
  const auto percent = [](double value) { return fmt::format("{:.1f}", value * 100); };
  const auto add = [&](const char* kind, const GroupErrors& group) {
    if (group.rows == 0) return;
    const bool any = group.answered > 0;
    table.rows.push_back(
        {kind, group.name, std::to_string(group.rows), std::to_string(group.answered),
         any ? percent(group.median) : "-", any ? percent(group.p90) : "-", any ? percent(group.mean) : "-",
         any ? percent(group.mean_percentage) : "-", any ? fmt::format("{:+.1f}", group.bias * 100) : "-",
         any ? percent(group.max) : "-", group.efficiency_median ? percent(*group.efficiency_median) : "-",
         any ? fmt::format("{:.0f}", group.inside * 100) : "-"});
  };
  for (const GroupErrors& group : validation.groups)
    if (group.answered > 0) add(is_core(group.name) ? "core group" : "group", group);
  for (const GroupErrors& group : validation.categories) add("category", group);
  for (const GroupErrors& group : validation.qualities) add("quality", group);
  add("all", validation.all);
  return table;
}

Table directions_table(const Validation& validation) {
  std::map<std::string, FactorDirection> factors;
  std::map<std::string, int> groups;
  for (const FactorDirection& each : validation.directions) {
    FactorDirection& sum = factors[each.factor];
    sum.pairs += each.pairs;
    sum.agreed += each.agreed;
    ++groups[each.factor];
  }
  Table table{{{"only this differs", false}, {"groups"}, {"pairs"}, {"same direction %"}}, {}};
  for (const auto& [factor, sum] : factors)
    table.rows.push_back(
        {factor, std::to_string(groups[factor]), std::to_string(sum.pairs),
         fmt::format("{:.0f}", 100.0 * static_cast<double>(sum.agreed) / static_cast<double>(sum.pairs))});
  return table;
}

Table unanswered_table(const Validation& validation, std::size_t most) {
  std::map<std::string, int> counts;
  for (const JudgedRow& row : validation.rows)
    if (!row.why_not.empty()) ++counts[row.why_not];
  std::vector<std::pair<int, std::string>> reasons;
  for (const auto& [reason, count] : counts) reasons.emplace_back(count, reason);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table{{{"rows"}, {"not answered because", false}}, {}};
  int rest = 0;
  for (std::size_t index = 0; index < reasons.size(); ++index) {
    if (index < most)
      table.rows.push_back({std::to_string(reasons[index].first), reasons[index].second});
    else
      rest += reasons[index].first;
  }
  if (rest > 0)
    table.rows.push_back(
        {std::to_string(rest), fmt::format("{} other reasons; --json lists them", reasons.size() - most)});
  return table;
}

std::string validation_json(const Validation& validation) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", "paceline/validation-1"}, {"unit", "ms"}};
  const auto errors = [](const GroupErrors& group) {
    Json item{{"name", group.name}, {"rows", group.rows}, {"answered", group.answered}};
    const bool any = group.answered > 0;
    const auto add = [&](const char* name, double value) { item[name] = any ? Json(value) : Json(); };
    add("median", group.median);
    add("p90", group.p90);
    add("mean", group.mean);
    add("mean_percentage", group.mean_percentage);
    add("bias", group.bias);
    add("max", group.max);
    add("inside_interval", group.inside);
    if (group.efficiency_median) item["efficiency_median"] = *group.efficiency_median;
    return item;
  };
  for (const auto& [name, list] : {std::pair{"groups", &validation.groups},
                                   {"categories", &validation.categories},
                                   {"qualities", &validation.qualities}}) {
    json[name] = Json::array();
    for (const GroupErrors& group : *list) json[name].push_back(errors(group));
  }
  json["all"] = errors(validation.all);
  json["directions"] = Json::array();
  for (const FactorDirection& each : validation.directions)
    json["directions"].push_back(
        {{"factor", each.factor}, {"group", each.group}, {"pairs", each.pairs}, {"agreed", each.agreed}});
  json["rows"] = Json::array();
  for (const JudgedRow& row : validation.rows) {
    const auto milli = [](const std::optional<Seconds>& time) {
      return time ? Json(time->value() * 1e3) : Json();
    };
    json["rows"].push_back(
        {{"id", row.row.id},
         {"group", row.row.group},
         {"category", row.row.category},
         {"quality", row.row.quality},
         {"predicted", milli(row.predicted)},
         {"measured", milli(row.row.step)},
         {"judged", row.row.judged},
         {"efficiency", row.efficiency ? Json(*row.efficiency) : Json()},
         {"measured_efficiency", row.measured_efficiency ? Json(*row.measured_efficiency) : Json()},
         {"why_not", row.why_not.empty() ? Json() : Json(row.why_not)}});
  }
  return json.dump(1) + "\n";
}

}  // namespace paceline
