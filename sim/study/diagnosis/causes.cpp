#include "sim/study/diagnosis/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.h"

namespace paceline::diagnosis {
namespace {

std::string nic_sentence(const Evidence& evidence) {
  const Bytes bytes = gibibytes(1);
  const int nics = group_nics(evidence.question->cluster, evidence.question->group.per_node);
  const double ring = ring_volume(CollectiveKind::all_reduce, evidence.terms.n, bytes.value());
  return fmt::format(
      "of 1 GiB a ring puts {} on each of a node's {} NICs, a tree over two nodes {}: busbw assumes a ring, "
      "so a tree's may reach "
      "{:.4g} GB/s, {:.2f} x the {:.4g} GB/s of the NICs, and above the wire is no fault",
      to_string(Bytes(ring / nics)), nics, to_string(bytes / nics),
      ring / bytes.value() * evidence.terms.wire / 1e9, ring / bytes.value(), evidence.terms.wire / 1e9);
}

// Sizes below the deciding ones that take long: no fault of the links.
void note_small_sizes(TableDiagnosis& result, const Question& question) {
  std::vector<double> ratios, widths;
  for (const DiagnosedRow& row : result.rows) {
    if (row.bytes >= question.rules->latency_below) continue;
    ratios.push_back(row.ratio);
    widths.push_back(row.high / row.expected);
  }
  if (ratios.empty() || median(ratios) < median(widths)) return;
  result.notes.push_back(fmt::format(
      "sizes below {} take {:.1f} x the expected time, which decides nothing: launch style ({} is assumed, "
      "--style) and library version "
      "do that; CUDA graphs or one process a GPU shorten it",
      to_binary_string(question.rules->latency_below), median(ratios), to_string(question.settings.style)));
}

}  // namespace

std::string Evidence::variable(const std::string& name) const {
  const auto found = debug().variables.find(name);
  return found == debug().variables.end() ? "" : found->second;
}

double nearness(double ratio, double tolerance) {
  if (!(ratio > 0)) return 0;
  return std::max(0.0, 1 - std::abs(std::log(ratio)) / std::log(tolerance));
}

double Evidence::ratio_to(const Question& other) const {
  const CollectivePredictor predictor = other.predictor();
  std::vector<double> ratios;
  for (const DiagnosedRow* row : large)
    ratios.push_back(row->measured.value() / predictor.predict(row->bytes).time.total());
  return median(ratios);
}

Evidence evidence_of(const TableDiagnosis& result, const Question& question) {
  Evidence evidence{&question, &result, decisive_rows(result.rows, *question.rules), {}, {}};
  const CollectivePredictor predictor = question.predictor();
  evidence.terms = predictor.terms();
  const DiagnosedRow& last = *evidence.large.back();
  evidence.at = predictor.predict(last.bytes);
  const double expected = evidence.at.time.total(), slowdown = last.ratio;
  evidence.expected_node_rate = evidence.at.time.network / expected / 1e9;
  evidence.expected_link_rate = evidence.at.time.volume / expected / 1e9;
  evidence.node_rate = evidence.expected_node_rate / slowdown;
  evidence.ring_rate =
      ring_volume(question.kind, evidence.terms.n, last.bytes.value()) / last.measured.value() / 1e9;
  evidence.link_rate = evidence.expected_link_rate / slowdown;
  return evidence;
}

void explain(TableDiagnosis& result, const Question& question) {
  for (const std::string& warning : result.table.warnings) result.notes.push_back(warning);
  for (const CurveBreak& found : result.shape.breaks) result.notes.push_back(to_string(found));
  for (const std::size_t index : result.shape.outliers)
    result.notes.push_back(fmt::format("outlier at {} ({})", to_binary_string(result.rows[index].bytes),
                                       to_string(result.rows[index].measured)));
  if (decisive_rows(result.rows, *question.rules).empty()) return;
  const Evidence evidence = evidence_of(result, question);
  note_small_sizes(result, question);
  if (question.group.nodes() == 2 && question.kind == CollectiveKind::all_reduce)
    result.notes.push_back(nic_sentence(evidence));
  if (result.verdict == Verdict::normal || result.verdict == Verdict::not_judged) return;
  add_job_causes(evidence, result.causes);
  if (result.verdict != Verdict::faster_than_links) {
    add_network_causes(evidence, result.causes);
    add_node_causes(evidence, result.causes);
    add_shape_causes(evidence, result.causes);
  }
  if (result.causes.empty())
    result.causes.push_back({"the numbers fit no fault that is known",
                             "neither the rates nor the log's lines point to one", "", "",
                             "run again with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH and diagnose "
                             "that log; nvidia-smi topo -m",
                             1});
  std::stable_sort(result.causes.begin(), result.causes.end(),
                   [](const Cause& a, const Cause& b) { return a.weight > b.weight; });
}

}  // namespace paceline::diagnosis
