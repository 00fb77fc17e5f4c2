#include "tests/sim/study/nccl_tests/sample_log.h"

#include <fmt/format.h>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline {
namespace {

// nccl-tests prints fewer decimals for longer times.
std::string time_text(double micro) {
  if (micro >= 10000) return fmt::format("{:7.0f}", micro);
  return micro >= 100 ? fmt::format("{:7.1f}", micro) : fmt::format("{:7.2f}", micro);
}

std::string group(double bytes, double micro, double factor) {
  const double rate = bytes / micro * 1e-3;
  return fmt::format("  {} {:7.2f} {:7.2f}      0", time_text(micro), rate, rate * factor);
}

}  // namespace

std::string sample_header(const SampleLog& log, int first_pid) {
  std::string text = fmt::format(
      "# nThread 1 nGpus {} minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg "
      "iters: 1 validation: 1 "
      "graph: 0\n#\n# Using devices\n",
      log.gpus_per_process);
  for (int rank = 0; log.devices && rank < log.hosts * log.per_host; ++rank)
    text += fmt::format("#  Rank {:2} Group  0 Pid {:6} on node{:03} device {:2} [0000:{:02x}:00] {}\n", rank,
                        first_pid + rank / log.gpus_per_process, rank / log.per_host + 1, rank % log.per_host,
                        16 * (rank % log.per_host) + 1, log.gpu);
  return text + "#\n";
}

std::vector<std::string> sample_rows(const SampleLog& log) {
  const double factor =
      log.factor > 0 ? log.factor : nccl_tests_factor(log.collective, log.hosts * log.per_host).value();
  std::vector<std::string> rows;
  for (const SamplePoint& point : log.points)
    rows.push_back(fmt::format("{:12.0f} {:13.0f} {:>9} {:>7} {:>7}", point.bytes, point.bytes / 4, log.type,
                               log.reduction, -1) +
                   group(point.bytes, point.micro, factor) +
                   group(point.bytes, point.in_place > 0 ? point.in_place : point.micro, factor));
  return rows;
}

std::string sample_text(const SampleLog& log) {
  std::string text = log.before +
                     fmt::format(
                         "# nccl-tests version 2.17.6 nccl-headers=22707 nccl-library=22707\n"
                         "# Collective test starting: {}_perf\n",
                         log.collective) +
                     sample_header(log);
  for (const std::string& line : log.debug) text += line + "\n";
  text +=
      "#                                                              out-of-place                       "
      "in-place\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw "
      "  busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s) "
      " (GB/s)\n";
  for (const std::string& row : sample_rows(log)) text += row + "\n";
  return text +
         "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 41.6692\n#\n"
         "# Collective test concluded: " +
         log.collective + "_perf\n";
}

std::vector<SamplePoint> sample_points(double first, double last, double latency_micro,
                                       double bytes_per_micro) {
  std::vector<SamplePoint> points;
  for (double bytes = first; bytes <= last; bytes *= 2)
    points.push_back({bytes, latency_micro + bytes / bytes_per_micro});
  return points;
}

}  // namespace paceline
