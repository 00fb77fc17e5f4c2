#include "sim/study/diagnosis/published_diagnosis.h"

#include "sim/study/diagnosis/expectation.h"

namespace paceline {
namespace {

NcclTestsTable table_of(const PublishedCollective& published) {
  NcclTestsTable table;
  table.collective = std::string(to_string(published.kind));
  table.ranks = published.group.ranks;
  for (const CollectivePoint& point : published.points) {
    if (point.outlier) continue;
    NcclTestsRow row;
    row.bytes = point.bytes;
    row.out_of_place = point.time;
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

std::vector<PublishedDiagnosis> diagnose_published(const HardwareCatalog& catalog,
                                                   const DiagnosisRules& rules,
                                                   const std::vector<PublishedCollective>& tables) {
  const NcclTestsLog no_log;
  std::vector<PublishedDiagnosis> list;
  for (const PublishedCollective& published : tables) {
    if (!published.cluster || published.group.ranks < 2) continue;
    const diagnosis::Question question{&catalog,       &rules,          &no_log,           *published.cluster,
                                       published.kind, published.group, published.settings};
    TableDiagnosis result;
    result.table = table_of(published);
    result.cluster = published.cluster->name;
    result.rows = diagnosis::compare(question, result.table);
    diagnosis::judge(result, question);
    if (result.verdict != Verdict::not_judged)
      list.push_back({published.id, published.healthy, result.verdict, result.reason});
  }
  return list;
}

DiagnosisScore score_of(const std::vector<PublishedDiagnosis>& list) {
  DiagnosisScore score;
  for (const PublishedDiagnosis& entry : list) {
    const bool called = entry.verdict != Verdict::normal;
    ++(entry.healthy ? score.healthy : score.unhealthy);
    if (called) ++(entry.healthy ? score.called_unhealthy : score.found);
  }
  return score;
}

}  // namespace paceline
