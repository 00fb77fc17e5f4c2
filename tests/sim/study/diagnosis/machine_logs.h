// Invented logs of catalog machines whose times are those that the model gives, healthy or with a fault.
#pragma once

#include <functional>
#include <string>

#include "sim/study/catalog.h"
#include "sim/study/diagnosis/diagnosis.h"
#include "tests/sim/study/nccl_tests/sample_log.h"

namespace paceline {

[[nodiscard]] const HardwareCatalog& test_hardware();
[[nodiscard]] const DiagnosisRules& test_rules();

// A machine, possibly with a fault, that ran a collective.
struct MachineRun {
  std::string cluster = "dgx-a100-80";
  int hosts = 1, per_host = 8;
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveSettings settings;
  std::function<void(Cluster&)> fault = [](Cluster&) {};
  std::function<double(Bytes)> slower = [](Bytes) { return 1.0; };
  double first = 1024, last = 1024.0 * 1024 * 1024;
};
// Sizes grow fourfold. GPUs have names that no driver gives, so that the cluster has to be said.
[[nodiscard]] SampleLog log_of(const MachineRun& run);

// Diagnosis of a log, with the machine given; of its only table.
[[nodiscard]] TableDiagnosis diagnosis_of(const SampleLog& sample, const std::string& cluster,
                                          std::optional<LaunchStyle> style = {});
[[nodiscard]] TableDiagnosis diagnosis_of(const MachineRun& run);

[[nodiscard]] std::string first_cause(const TableDiagnosis& result);

}  // namespace paceline
