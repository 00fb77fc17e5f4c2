// The rules on published tables: healthy machines are let pass, unhealthy ones found.
#include "sim/study/diagnosis/published_diagnosis.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/sim/study/diagnosis/machine_logs.h"

namespace paceline {
namespace {

TEST(PublishedDiagnosis, LetsHealthyTablesPassAndFindsUnhealthyOnes) {
  const std::string folder = find_data_folder("");
  const Catalog catalog = Catalog::load(folder);
  std::vector<PublishedCollective> tables;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/published")) {
    if (!entry.path().filename().string().starts_with("collectives-")) continue;
    const auto more = read_published_collectives(catalog, entry.path());
    tables.insert(tables.end(), more.begin(), more.end());
  }
  const auto list = diagnose_published(catalog.hardware, test_rules(), tables);
  const DiagnosisScore score = score_of(list);
  for (const PublishedDiagnosis& entry : list)
    if (entry.healthy != (entry.verdict == Verdict::normal))
      std::cout << (entry.healthy ? "healthy " : "unhealthy ") << entry.id << ": " << to_string(entry.verdict)
                << ", " << entry.reason << "\n";
  std::cout << score.called_unhealthy << " of " << score.healthy << " healthy called slow or suspicious; "
            << score.found << " of " << score.unhealthy << " unhealthy found\n";
  EXPECT_GT(score.healthy, 100U);
  EXPECT_GT(score.unhealthy, 8U);
  EXPECT_LE(static_cast<double>(score.called_unhealthy), 0.05 * static_cast<double>(score.healthy));
  EXPECT_GE(static_cast<double>(score.found), 0.8 * static_cast<double>(score.unhealthy));
}

}  // namespace
}  // namespace paceline
