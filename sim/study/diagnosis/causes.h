// Faults that a slow table may have, each asked separately.
#pragma once

#include "sim/study/diagnosis/expectation.h"

namespace paceline::diagnosis {

// A table with the question asked of it, and what all causes look at.
struct Evidence {
  const Question* question;
  const TableDiagnosis* result;
  std::vector<const DiagnosedRow*> large;
  GroupTerms terms;         // of the intended set-up
  CollectivePrediction at;  // expected at the largest size
  // GB/s that a node puts on its NICs at the largest size, as the expected algorithm moves bytes; and as a
  // ring does: with a fault the library may choose otherwise.
  double node_rate = 0, ring_rate = 0;
  double link_rate = 0;  // GB/s that a GPU puts on its link
  double expected_node_rate = 0, expected_link_rate = 0;

  [[nodiscard]] bool several_nodes() const { return question->group.nodes() > 1; }
  [[nodiscard]] const NcclDebug& debug() const { return question->log->debug; }
  // The log's value of a variable; empty: not set there.
  [[nodiscard]] std::string variable(const std::string& name) const;
  // Median of measured over predicted time with another set-up, over the deciding sizes.
  [[nodiscard]] double ratio_to(const Question& other) const;
};
[[nodiscard]] Evidence evidence_of(const TableDiagnosis& result, const Question& question);

// How near a ratio is to 1: 1 there, 0 at a factor `tolerance` and beyond.
[[nodiscard]] double nearness(double ratio, double tolerance);

// Each adds its cause, with a weight: 100 and more for what the log says, up to 60 for what the numbers
// suggest.
void add_job_causes(const Evidence& evidence, std::vector<Cause>& causes);  // wrong job size, wrong values
void add_network_causes(const Evidence& evidence, std::vector<Cause>& causes);  // sockets, NICs, GPUDirect
void add_node_causes(const Evidence& evidence, std::vector<Cause>& causes);     // peer access, PCIe, NVLS
void add_shape_causes(const Evidence& evidence,
                      std::vector<Cause>& causes);  // congestion, one bad rank, algorithm

}  // namespace paceline::diagnosis
