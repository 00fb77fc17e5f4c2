#include "sim/study/diagnosis/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "sim/study/diagnosis/expectation.h"

namespace paceline {
namespace {

TableDiagnosis diagnose_table(const diagnosis::Question& question, const NcclTestsTable& table,
                              const Machine& machine) {
  TableDiagnosis result;
  result.table = table;
  result.cluster = machine.cluster.name;
  result.group = question.group;
  const int nodes = question.group.nodes();
  result.name = fmt::format("{}, {} ranks on {} {} of {}", to_string(question.kind), table.ranks, nodes,
                            nodes == 1 ? "node" : "nodes", machine.cluster.name);
  result.notes = machine.notes;
  result.rows = diagnosis::compare(question, table);
  result.shape = curve_shape(table.rows);
  diagnosis::judge(result, question);
  diagnosis::explain(result, question);
  return result;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"normal", "suspicious", "slow",
                                                  "faster than the links allow", "not judged"};
  return names[static_cast<std::size_t>(verdict)];
}

bool Diagnosis::normal() const {
  return std::all_of(tables.begin(), tables.end(), [](const TableDiagnosis& table) {
    return table.verdict == Verdict::normal || table.verdict == Verdict::not_judged;
  });
}

Diagnosis diagnose(const HardwareCatalog& catalog, const DiagnosisRules& rules, const NcclTestsLog& log,
                   const DiagnosisOptions& options) {
  Diagnosis result{log.file, {}, log.repairs};
  for (const NcclTestsTable& table : log.tables) {
    const Machine machine = find_machine(catalog, log, table, options.hints);
    result.tables.push_back(
        diagnose_table(diagnosis::question_of(catalog, rules, log, table, options, machine), table, machine));
  }
  const bool none = std::all_of(result.tables.begin(), result.tables.end(), [](const TableDiagnosis& table) {
    return table.verdict == Verdict::not_judged;
  });
  if (none)
    throw InputError(log.file, "no table that can be judged", "sizes and a machine that can be",
                     result.tables.front().reason);
  return result;
}

}  // namespace paceline
