#include "sim/study/nccl_tests/nccl_tests_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/error.h"
#include "sim/study/nccl_tests/curve_breaks.h"

namespace paceline {
namespace {

constexpr double alike = 0.1;  // of the larger: what two columns of a calm machine differ by at most

Measurement measurement(const NcclTestsRow& row, bool outlier) {
  Measurement time;
  time.median = row.time();
  const Seconds other = row.in_place.value_or(row.time());
  time.p5 = std::min(time.median, other);
  time.p95 = std::max(time.median, other);
  time.median_absolute_deviation = (time.p95 - time.p5) / 2;
  time.samples = row.out_of_place && row.in_place ? 2 : 1;
  time.noisy = outlier || time.p5 < (1 - alike) * time.p95;
  return time;
}

std::string name_of(const NcclTestsTable& table, int nodes) {
  return fmt::format("{} of {} ranks on {} {}", table.collective, table.ranks, nodes,
                     nodes == 1 ? "node" : "nodes");
}

// What a table lacks to be one of a Profile; empty: nothing.
std::string missing(const NcclTestsTable& table, int nodes) {
  if (table.collective.empty()) return "which collective it is (--collective)";
  if (!nccl_tests_factor(table.collective, 2)) return "a collective that nccl-tests has";
  if (table.ranks < 2) return "the number of ranks, two at least (a list of devices, or busbw printed)";
  return nodes == 0 ? "the hosts (a list of devices, or --cluster and --hosts)" : "";
}

void describe(const NcclTestsTable& table, const std::string& name, const CurveShape& shape,
              Profile& profile) {
  for (const std::string& warning : table.warnings) profile.notes.push_back(name + ": " + warning);
  for (const CurveBreak& found : shape.breaks)
    profile.notes.push_back(
        fmt::format("{}: {}; do not fit one latency and bandwidth across it", name, to_string(found)));
  for (const std::size_t index : shape.outliers)
    profile.notes.push_back(fmt::format("{}: outlier at {} ({}), slower than its neighbours", name,
                                        to_binary_string(table.rows[index].bytes),
                                        to_string(table.rows[index].time())));
}

}  // namespace

int node_count(const NcclTestsTable& table, const std::optional<int>& domain,
               const std::optional<int>& hosts) {
  if (domain && table.ranks > 0) return (table.ranks + *domain - 1) / *domain;
  return hosts ? *hosts : table.hosts;
}

Profile to_profile(const NcclTestsLog& log, const NcclTestsImport& options) {
  Profile profile;
  profile.backend = "cuda";
  profile.device = options.device;
  std::string lacking;
  std::set<std::tuple<std::string, int, int>> seen;
  for (NcclTestsTable table : log.tables) {
    if (table.collective.empty()) table.collective = options.collective;
    const int nodes = node_count(table, options.domain, options.hosts);
    if (const std::string what = missing(table, nodes); !what.empty()) {
      lacking = what;
      profile.notes.push_back(fmt::format("the table from line {} is left out, as it does not say {}",
                                          table.rows.front().line, what));
      continue;
    }
    const std::string name = name_of(table, nodes);
    if (!seen.insert({table.collective, table.ranks, nodes}).second) {
      profile.notes.push_back(fmt::format("{}: another table, from line {} ({}), is left out", name,
                                          table.rows.front().line, table.data_type));
      continue;
    }
    if (profile.host.empty() && !table.devices().empty()) profile.host = table.devices().front().host;
    if (profile.device.empty() && !table.device_names().empty())
      profile.device = table.device_names().front();
    const CurveShape shape = curve_shape(table.rows);
    describe(table, name, shape, profile);
    std::size_t next = 0;
    for (std::size_t index = 0; index < table.rows.size(); ++index) {
      const bool outlier = next < shape.outliers.size() && shape.outliers[next] == index;
      next += outlier ? 1 : 0;
      profile.collectives.push_back({table.collective, log.tool == "rccl-tests" ? "rccl" : "nccl",
                                     table.ranks, nodes, table.rows[index].bytes,
                                     measurement(table.rows[index], outlier)});
    }
  }
  if (profile.collectives.empty())
    throw InputError(
        log.file, fmt::format("{} of which none can be used", log.tables.size() == 1 ? "a table" : "tables"),
        "a table that says " + lacking, "");
  if (profile.device.empty()) profile.device = "not stated";
  if (!log.debug.version.empty()) profile.notes.push_back("NCCL " + log.debug.version);
  for (const std::string& repair : log.repairs) profile.notes.push_back(repair);
  return profile;
}

}  // namespace paceline
