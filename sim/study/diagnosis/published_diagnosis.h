// What the diagnosis says of published tables whose machines are known to be healthy or not.
#pragma once

#include <string>
#include <vector>

#include "sim/study/catalog.h"
#include "sim/study/diagnosis/diagnosis.h"
#include "sim/study/published_collectives.h"

namespace paceline {

struct PublishedDiagnosis {
  std::string id;
  bool healthy = true;
  Verdict verdict = Verdict::not_judged;
  std::string reason;
};

// Tables whose machine is not stated, and those that cannot be judged, are left out. Sizes that the table's
// collector names as outliers decide nothing.
[[nodiscard]] std::vector<PublishedDiagnosis> diagnose_published(
    const HardwareCatalog& catalog, const DiagnosisRules& rules,
    const std::vector<PublishedCollective>& tables);

// How often the diagnosis is right.
struct DiagnosisScore {
  std::size_t healthy = 0, called_unhealthy = 0;  // false alarms
  std::size_t unhealthy = 0, found = 0;
};
[[nodiscard]] DiagnosisScore score_of(const std::vector<PublishedDiagnosis>& list);

// Of the tables of these files; none: of every file of kind collectives in the catalog's published folder.
[[nodiscard]] DiagnosisScore published_score(const Catalog& catalog, const std::string& data_folder,
                                             std::vector<std::string> files);
// "called slow or suspicious: 6 of 193 healthy tables, 14 of 14 unhealthy ones"
[[nodiscard]] std::string to_string(const DiagnosisScore& score);

}  // namespace paceline
