// Wrong job, wrong values, and what cannot be this machine.
#include <fmt/format.h>

#include <algorithm>

#include "sim/study/diagnosis/causes.h"

namespace paceline::diagnosis {

void add_job_causes(const Evidence& evidence, std::vector<Cause>& causes) {
  const NcclTestsTable& table = evidence.result->table;
  for (const std::string& warning : table.warnings) {
    if (warning.find("job") != std::string::npos || warning.find("ranks") != std::string::npos)
      causes.push_back({"the job is not the one that was meant", warning, "",
                        fmt::format("{} ranks in one communicator", evidence.question->group.ranks),
                        "build nccl-tests with MPI=1 and look for one list of devices with every rank in it",
                        200});
    if (warning.find("wrong") != std::string::npos)
      causes.push_back({"a faulty GPU, link or library", warning, "", "no wrong value",
                        "dcgmi diag -r 3 on every host, then the same run on halves of the hosts", 190});
  }
  if (evidence.result->verdict != Verdict::faster_than_links) return;
  const DiagnosedRow& last = *evidence.large.back();
  causes.push_back(
      {"this is another machine or another job than is assumed",
       fmt::format("{} take {}, and the bytes alone need {} on the links of {}", to_binary_string(last.bytes),
                   to_string(last.measured), to_string(last.least), evidence.question->cluster.name),
       fmt::format("{:.4g} GB/s busbw", last.busbw.value() / 1e9), "",
       "check --cluster, the number of hosts, and that the ranks are one job (not one for each host)", 50});
}

}  // namespace paceline::diagnosis
