#include "sim/study/diagnosis/published_diagnosis.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "sim/study/diagnosis/expectation.h"
#include "sim/study/published.h"

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

DiagnosisScore published_score(const Catalog& catalog, const std::string& data_folder,
                               std::vector<std::string> files) {
  if (files.empty()) files = published_files(data_folder + "/published", "collectives");
  std::vector<PublishedCollective> tables;
  for (const std::string& file : files) {
    auto more = read_published_collectives(catalog, file);
    std::move(more.begin(), more.end(), std::back_inserter(tables));
  }
  return score_of(diagnose_published(catalog.hardware, read_diagnosis_rules(data_folder), tables));
}

std::string to_string(const DiagnosisScore& score) {
  return fmt::format("called slow or suspicious: {} of {} healthy tables, {} of {} unhealthy ones",
                     score.called_unhealthy, score.healthy, score.found, score.unhealthy);
}

}  // namespace paceline
