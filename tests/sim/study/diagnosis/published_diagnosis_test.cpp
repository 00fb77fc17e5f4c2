// The rules on published tables: healthy machines are let pass, unhealthy ones found.
#include "sim/study/diagnosis/published_diagnosis.h"

#include <gtest/gtest.h>

#include "tests/sim/study/diagnosis/machine_logs.h"

namespace paceline {
namespace {

TEST(PublishedDiagnosis, LetsHealthyTablesPassAndFindsUnhealthyOnes) {
  const std::string folder = find_data_folder("");
  const Catalog catalog = Catalog::load(folder);
  const DiagnosisScore score = published_score(catalog, folder, {});
  SCOPED_TRACE(to_string(score));
  EXPECT_GT(score.healthy, 100U);
  EXPECT_GT(score.unhealthy, 8U);
  EXPECT_LE(static_cast<double>(score.called_unhealthy), 0.05 * static_cast<double>(score.healthy));
  EXPECT_GE(static_cast<double>(score.found), 0.8 * static_cast<double>(score.unhealthy));
}

}  // namespace
}  // namespace paceline
