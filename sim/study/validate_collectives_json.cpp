#include <nlohmann/json.hpp>

#include "sim/study/validate_collectives.h"

namespace paceline {
namespace {

nlohmann::ordered_json group_json(const PointErrors& group) {
  return {{"name", group.name},     {"tables", group.tables}, {"points", group.points},
          {"median", group.median}, {"p90", group.p90},       {"within_two", group.within_two},
          {"inside", group.inside}};
}

nlohmann::ordered_json table_json(const JudgedTable& judged) {
  nlohmann::ordered_json table{{"id", judged.table.id}, {"class", judged.table.machine_class}};
  if (!judged.why_not.empty()) table["why_not"] = judged.why_not;
  table["median"] = judged.median;
  table["p90"] = judged.p90;
  table["bias"] = judged.bias;
  table["nodes"] = judged.table.group.nodes();
  table["points"] = nlohmann::ordered_json::array();
  for (const JudgedPoint& point : judged.points)
    table["points"].push_back({{"bytes", point.point.bytes.value()},
                               {"measured_us", point.point.time.value() * 1e6},
                               {"predicted_us", point.predicted.value() * 1e6},
                               {"algorithm", point.algorithm},
                               {"protocol", point.protocol}});
  return table;
}

}  // namespace

std::string collective_validation_json(const CollectiveValidation& validation) {
  nlohmann::ordered_json document{{"format", "paceline/collective-validation-1"}};
  for (const PointErrors& group : validation.regimes) document["regimes"].push_back(group_json(group));
  for (const PointErrors& group : validation.classes) document["classes"].push_back(group_json(group));
  for (const JudgedTable& judged : validation.tables) document["tables"].push_back(table_json(judged));
  return document.dump(1) + "\n";
}

}  // namespace paceline
