// What the machine of a table should do, and would do with a fault.
#pragma once

#include "sim/study/diagnosis/diagnosis.h"

namespace paceline::diagnosis {

struct Question {
  const HardwareCatalog* catalog = nullptr;
  const DiagnosisRules* rules = nullptr;
  const NcclTestsLog* log = nullptr;
  Cluster cluster;
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveGroup group;
  CollectiveSettings settings;  // of the intended set-up: the log's variables are no part of it

  [[nodiscard]] CollectivePredictor predictor() const { return {*catalog, cluster, kind, group, settings}; }
};

// Throws InputError naming what the table does not say.
[[nodiscard]] Question question_of(const HardwareCatalog& catalog, const DiagnosisRules& rules,
                                   const NcclTestsLog& log, const NcclTestsTable& table,
                                   const DiagnosisOptions& options, const Machine& machine);

[[nodiscard]] std::vector<DiagnosedRow> compare(const Question& question, const NcclTestsTable& table);

// Rows that decide: of `decisive_from` and more, or the three largest.
[[nodiscard]] std::vector<const DiagnosedRow*> decisive_rows(const std::vector<DiagnosedRow>& rows,
                                                             const DiagnosisRules& rules);

// Fills verdict, reason, median_ratio, warn and departs.
void judge(TableDiagnosis& result, const Question& question);

// The causes of a table that is not normal, likeliest first; notes for any.
void explain(TableDiagnosis& result, const Question& question);

}  // namespace paceline::diagnosis
