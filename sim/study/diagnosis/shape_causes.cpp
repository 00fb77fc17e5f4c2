// What the course of the table over the sizes suggests.
#include <fmt/format.h>

#include <algorithm>

#include "sim/study/diagnosis/causes.h"

namespace paceline::diagnosis {
namespace {

// A fall of the bandwidth with the size, or a machine that is slow in the middle and fast at the end.
void add_congestion(const Evidence& evidence, std::vector<Cause>& causes) {
  const CurveShape& shape = evidence.result->shape;
  const bool falls = shape.deepest_fall > evidence.question->rules->congestion_fall;
  const bool middle = evidence.result->median_ratio < evidence.question->rules->slow &&
                      evidence.result->verdict == Verdict::slow;
  if (!falls && !middle && shape.outliers.size() < 2) return;
  std::string why = fmt::format("{} sizes are slower than larger ones", shape.outliers.size());
  if (middle) why = "slow in the middle, normal at the largest sizes";
  if (falls)
    why = fmt::format("algbw falls by {:.0f} % until {}", shape.deepest_fall * 100,
                      to_binary_string(shape.fall_at));
  causes.push_back(
      {evidence.several_nodes() ? "congestion, or a path shared with other jobs"
                                : "a shared or throttled machine",
       why, "", "algbw that grows with the size",
       evidence.several_nodes()
           ? "two hosts of one rack, then of two; switch counters of pauses and discards; NCCL_IB_TC and "
             "adaptive routing; "
             "nothing else on the nodes"
           : "nvidia-smi dmon during the run; nothing else on the node; repeat with -w 20 -n 100",
       falls ? 70.0 : 45.0});
}

// All sizes slower by the same factor: a ring is as fast as its slowest member.
void add_bad_rank(const Evidence& evidence, std::vector<Cause>& causes) {
  if (evidence.question->group.ranks < 3 || evidence.large.size() < 2) return;
  double low = 1e9, high = 0;
  for (const DiagnosedRow* row : evidence.large) {
    low = std::min(low, row->ratio);
    high = std::max(high, row->ratio);
  }
  if (high > 1.3 * low) return;
  causes.push_back(
      {evidence.several_nodes() ? "one slow node, NIC or cable" : "one slow GPU or link",
       fmt::format("all large sizes are slower by the same factor ({:.2f} to {:.2f}), as a ring is as fast "
                   "as its slowest "
                   "member",
                   low, high),
       "", "",
       evidence.several_nodes()
           ? "the same run on pairs of hosts; ibstat (rate, symbol errors); nvidia-smi nvlink -s on each host"
           : "all_reduce_perf -g 2 on pairs of GPUs (CUDA_VISIBLE_DEVICES); nvidia-smi nvlink -s; nvidia-smi "
             "-q -d PERFORMANCE",
       15});
}

// Another algorithm than the expected one would take just that long.
void add_algorithm(const Evidence& evidence, std::vector<Cause>& causes) {
  if (evidence.question->kind != CollectiveKind::all_reduce) return;
  const std::string set = evidence.variable("NCCL_ALGO"), protocol = evidence.variable("NCCL_PROTO");
  const Bytes bytes = evidence.large.back()->bytes;
  double best = 0;
  std::string which;
  for (const CollectivePrediction& other : evidence.question->predictor().candidates(bytes)) {
    if (other.algorithm == evidence.at.algorithm && other.protocol == evidence.at.protocol) continue;
    if (other.time.total() < evidence.at.time.total() * evidence.question->rules->warn_switched) continue;
    const double close = nearness(evidence.large.back()->measured.value() / other.time.total(), 1.12);
    if (close <= best) continue;
    best = close;
    which = fmt::format("{} {}", to_string(other.algorithm), to_string(other.protocol));
  }
  if (best <= 0 && set.empty() && protocol.empty()) return;
  std::string why = which.empty() ? "" : "the time is that of " + which;
  for (const auto& [name, value] : {std::pair{"NCCL_ALGO", set}, std::pair{"NCCL_PROTO", protocol}})
    if (!value.empty()) why += fmt::format("{}{}={}", why.empty() ? "" : "; ", name, value);
  causes.push_back({"another algorithm than is best", why, which,
                    fmt::format("{} {}", to_string(evidence.at.algorithm), to_string(evidence.at.protocol)),
                    "unset NCCL_ALGO NCCL_PROTO; NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING tells which is "
                    "taken; a newer library",
                    (set.empty() && protocol.empty() ? 0 : 100) + 50 * best});
}

}  // namespace

void add_shape_causes(const Evidence& evidence, std::vector<Cause>& causes) {
  add_congestion(evidence, causes);
  add_bad_rank(evidence, causes);
  add_algorithm(evidence, causes);
}

}  // namespace paceline::diagnosis
