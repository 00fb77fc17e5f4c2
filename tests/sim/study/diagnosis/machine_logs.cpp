#include "tests/sim/study/diagnosis/machine_logs.h"

#include <sstream>

namespace paceline {

const HardwareCatalog& test_hardware() {
  static const HardwareCatalog loaded = HardwareCatalog::load(find_data_folder(""));
  return loaded;
}

const DiagnosisRules& test_rules() {
  static const DiagnosisRules loaded = read_diagnosis_rules(find_data_folder(""));
  return loaded;
}

SampleLog log_of(const MachineRun& run) {
  Cluster cluster = test_hardware().cluster(run.cluster);
  run.fault(cluster);
  const int ranks = run.hosts * run.per_host;
  const CollectiveGroup group{
      ranks, nvlink_domain(cluster) ? std::min(ranks, cluster.devices_per_node) : run.per_host};
  const CollectivePredictor predictor(test_hardware(), cluster, run.kind, group, run.settings);
  SampleLog sample;
  sample.collective = std::string(to_string(run.kind));
  sample.hosts = run.hosts;
  sample.per_host = run.per_host;
  sample.gpu = "Some GPU";
  for (double bytes = run.first; bytes <= run.last; bytes *= 4)
    sample.points.push_back(
        {bytes, predictor.predict(Bytes(bytes)).time.total() * 1e6 * run.slower(Bytes(bytes))});
  return sample;
}

TableDiagnosis diagnosis_of(const SampleLog& sample, const std::string& cluster,
                            std::optional<LaunchStyle> style) {
  std::istringstream stream(sample_text(sample));
  const NcclTestsLog log = read_nccl_tests(stream, "a.log");
  DiagnosisOptions options;
  options.hints.cluster = cluster;
  options.style = style;
  return diagnose(test_hardware(), test_rules(), log, options).tables.at(0);
}

TableDiagnosis diagnosis_of(const MachineRun& run) { return diagnosis_of(log_of(run), run.cluster); }

std::string first_cause(const TableDiagnosis& result) {
  return result.causes.empty() ? "" : result.causes.front().title;
}

}  // namespace paceline
