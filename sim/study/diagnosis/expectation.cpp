#include "sim/study/diagnosis/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace paceline::diagnosis {
namespace {

LaunchStyle style_of(const NcclTestsLog& log, const NcclTestsTable& table) {
  if (log.tool == "torch") return LaunchStyle::framework;
  if (table.graph) return LaunchStyle::graph;
  const bool one = table.gpus_per_process.value_or(1) > 1 && table.threads.value_or(1) == 1;
  return one ? LaunchStyle::one_process : LaunchStyle::process_per_device;
}

// Ranks on each node; a rack that NVLink joins is one node.
int ranks_per_node(const NcclTestsLog& log, const NcclTestsTable& table, const Cluster& cluster,
                   const MachineHints& hints) {
  if (const auto domain = nvlink_domain(cluster)) return std::min(*domain, table.ranks);
  const int hosts = hints.hosts.value_or(table.hosts);
  if (hosts > 0 && hosts <= table.ranks) return (table.ranks + hosts - 1) / hosts;
  if (table.ranks <= cluster.devices_per_node) return table.ranks;
  if (table.ranks % cluster.devices_per_node == 0) return cluster.devices_per_node;
  throw InputError(log.file, fmt::format("{} ranks and no list of devices", table.ranks),
                   fmt::format("whole nodes of {} devices", cluster.devices_per_node), "give --hosts");
}

// No algorithm moves fewer bytes.
Seconds least_of(const CollectivePredictor& predictor, const std::vector<CollectivePrediction>& candidates,
                 Bytes bytes) {
  Seconds least(std::numeric_limits<double>::infinity());
  for (const CollectivePrediction& candidate : candidates)
    least = std::min(least, predictor.least(candidate.algorithm, bytes));
  return least;
}

}  // namespace

Question question_of(const HardwareCatalog& catalog, const DiagnosisRules& rules, const NcclTestsLog& log,
                     const NcclTestsTable& table, const DiagnosisOptions& options, const Machine& machine) {
  const std::string where = fmt::format("{}: line {}", log.file, table.rows.front().line);
  Question question{&catalog, &rules, &log, machine.cluster, CollectiveKind::all_reduce, {}, {}};
  const std::string collective = table.collective.empty() ? options.hints.collective : table.collective;
  if (collective.empty())
    throw InputError(where, "a table that does not say its collective",
                     fmt::format("one of {}", fmt::join(collective_names(), ", ")), "give --collective");
  const auto kind = collective_kind(collective);
  if (!kind)
    throw InputError(where, fmt::format("collective \"{}\"", collective),
                     fmt::format("one of {}", fmt::join(collective_names(), ", ")),
                     "other collectives are not modelled");
  question.kind = *kind;
  if (table.ranks < 2)
    throw InputError(where, table.ranks == 1 ? "one rank" : "a table that does not say its ranks",
                     "two ranks at least", "keep the list of devices at its head in the log");
  question.group = {table.ranks, ranks_per_node(log, table, machine.cluster, options.hints)};
  if (log.tool == "rccl-tests")
    question.settings.library.name = LibraryName::rccl;
  else if (const auto library = parse_library("NCCL " + log.debug.version);
           library && !log.debug.version.empty())
    question.settings.library = *library;
  if (const auto type = data_type(table.data_type)) question.settings.type = *type;
  question.settings.style = options.style.value_or(style_of(log, table));
  return question;
}

std::vector<DiagnosedRow> compare(const Question& question, const NcclTestsTable& table) {
  const CollectivePredictor predictor = question.predictor();
  const double factor = bus_factor(question.kind, question.group.ranks);
  std::vector<DiagnosedRow> rows;
  for (const NcclTestsRow& measured : table.rows) {
    const CollectivePrediction expected = predictor.predict(measured.bytes);
    DiagnosedRow row;
    row.bytes = measured.bytes;
    row.measured = measured.time();
    row.expected = Seconds(expected.time.total());
    row.low = row.expected * expected.spread.low;
    row.high = row.expected * expected.spread.high;
    row.least = least_of(predictor, predictor.candidates(measured.bytes), measured.bytes);
    row.busbw = measured.bytes / row.measured * factor;
    row.expected_busbw = measured.bytes / row.expected * factor;
    row.algorithm = std::string(to_string(expected.algorithm));
    row.protocol = std::string(to_string(expected.protocol));
    row.ratio = row.measured / row.expected;
    const Seconds other = measured.in_place.value_or(row.measured);
    const double differ = std::max(row.measured / other, other / row.measured);
    row.decides = row.bytes >= question.rules->latency_below && differ <= question.rules->columns_differ;
    rows.push_back(std::move(row));
  }
  // The first call may find the machine cold.
  if (rows.size() > 1 && rows[0].measured > rows[1].measured) rows[0].decides = false;
  return rows;
}

}  // namespace paceline::diagnosis
