// Damaged logs are diagnosed or refused, never more.
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "sim/study/diagnosis/diagnosis_report.h"
#include "tests/fuzz/fuzz_seeds.h"
#include "tests/fuzz/mutate.h"
#include "tests/sim/study/diagnosis/machine_logs.h"

namespace paceline {
namespace {

TEST(HostileLog, IsDiagnosedOrRefused) {
  MachineRun run;
  run.cluster = "dgx-h100";
  run.hosts = 2;
  const std::string seeds[] = {sample_text(log_of(run)), seed_nccl_tests(), seed_nccl_tests_json()};
  DiagnosisOptions options;
  options.hints.cluster = run.cluster;
  std::size_t diagnosed = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    try {
      std::istringstream stream(mutate(seeds[seed % 3], seed));
      const Diagnosis diagnosis =
          diagnose(test_hardware(), test_rules(), read_nccl_tests(stream, "a.log"), options);
      for (const std::string& text : {to_text(diagnosis), to_markdown(diagnosis), diagnosis_json(diagnosis)})
        EXPECT_EQ(text.find("nan"), std::string::npos) << seed;
      ++diagnosed;
    } catch (const InputError&) {  // says what is wrong
    } catch (const std::exception& error) {
      FAIL() << "seed " << seed << ": " << error.what();
    }
  }
  EXPECT_GT(diagnosed, 400U);
}

}  // namespace
}  // namespace paceline
