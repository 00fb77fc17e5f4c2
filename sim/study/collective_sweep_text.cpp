#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/study/collective_sweep.h"

namespace paceline {
namespace {

std::string redop_of(const CollectiveSweep& request) {
  const bool adds = request.kind == CollectiveKind::all_reduce ||
                    request.kind == CollectiveKind::reduce_scatter || request.kind == CollectiveKind::reduce;
  return adds ? request.redop : "none";
}
int root_of(const CollectiveSweep& request) {
  const bool rooted = request.kind == CollectiveKind::broadcast || request.kind == CollectiveKind::reduce;
  return rooted ? request.root : -1;
}

// The names that nccl-tests prints.
std::string type_name(DataType type) {
  switch (type) {
    case DataType::fp16:
      return "half";
    case DataType::fp32:
      return "float";
    case DataType::fp64:
      return "double";
    case DataType::bf16:
      return "bfloat16";
    case DataType::fp8:
      return "f8e4m3";
    default:
      return std::string(to_string(type));
  }
}

std::string header(const SweepResult& result) {
  const CollectiveSweep& request = result.request;
  std::string text =
      fmt::format("# {}: {} ranks on {} node{} of {}\n", to_string(request.kind), result.group.ranks,
                  request.nodes, request.nodes == 1 ? "" : "s", result.cluster.title);
  text +=
      fmt::format("# {}, {}, launched by {}; predicted, not measured\n", to_string(request.settings.library),
                  request.settings.library.version ? "its choice of algorithm and protocol"
                                                   : "version not given: choice as of 2.27.7",
                  to_string(request.settings.style));
  text += "# low and high: bus bandwidth between which nine of ten measurements lie\n#\n";
  text += fmt::format(
      "#{:>12} {:>13} {:>9} {:>6} {:>5} {:>10} {:>7} {:>7} {:>6}  {:<14} {:<6} {:>3} {:>7} {:>7}  {}\n",
      "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "algorithm", "proto",
      "ch", "low", "high", "bound by");
  text += fmt::format(
      "#{:>12} {:>13} {:>9} {:>6} {:>5} {:>10} {:>7} {:>7} {:>6}  {:<14} {:<6} {:>3} {:>7} {:>7}\n", "(B)",
      "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "", "", "", "(GB/s)", "(GB/s)");
  return text;
}

// What binds a modelled time; of others where they came from.
std::string_view bound_by(const CollectiveTime& time) {
  if (time.extrapolated) return "extrapolated";
  return time.provenance == Provenance::modelled ? to_string(time.binding) : to_string(time.provenance);
}

// nccl-tests' widths: five significant places of the time, two decimals of the bandwidths.
std::string micro(double value) {
  return value < 100     ? fmt::format("{:.2f}", value)
         : value < 10000 ? fmt::format("{:.1f}", value)
                         : fmt::format("{:.0f}", value);
}

// An average over sizes that latency dominates says nothing, so the peak and half of it are given.
std::string summary(const SweepResult& result) {
  const auto peak = std::max_element(result.rows.begin(), result.rows.end(),
                                     [](const auto& a, const auto& b) { return a.busbw < b.busbw; });
  const auto half = std::find_if(result.rows.begin(), result.rows.end(),
                                 [&](const SweepRow& row) { return row.busbw >= peak->busbw / 2; });
  return fmt::format("# Peak bus bandwidth: {:.2f} GB/s at {:.0f} B; half of it from {:.0f} B\n", peak->busbw,
                     peak->size.value(), half->size.value());
}

}  // namespace

std::string sweep_text(const SweepResult& result) {
  std::string text = header(result);
  const CollectiveSweep& request = result.request;
  for (const SweepRow& row : result.rows) {
    text += fmt::format(
        "{:>13.0f} {:>13} {:>9} {:>6} {:>5} {:>10} {:>7.2f} {:>7.2f} {:>6}  {:<14} {:<6} {:>3} {:>7.2f} "
        "{:>7.2f}  {}\n",
        row.size.value(), row.count, type_name(request.settings.type), redop_of(request), root_of(request),
        micro(row.time.total().value() * 1e6), row.algbw, row.busbw, "N/A", row.time.algorithm,
        row.time.protocol, row.time.channels, row.busbw_low, row.busbw_high, bound_by(row.time));
  }
  return text + summary(result);
}

std::string sweep_json(const SweepResult& result) {
  using Json = nlohmann::ordered_json;
  const CollectiveSweep& request = result.request;
  Json document{{"format", "paceline/collective-sweep-1"},
                {"cluster", result.cluster.name},
                {"collective", to_string(request.kind)},
                {"ranks", result.group.ranks},
                {"nodes", request.nodes},
                {"type", to_string(request.settings.type)},
                {"library", to_string(request.settings.library)},
                {"launch", to_string(request.settings.style)}};
  document["rows"] = Json::array();
  for (const SweepRow& row : result.rows) {
    document["rows"].push_back({{"bytes", row.size.value()},
                                {"count", row.count},
                                {"us", row.time.total().value() * 1e6},
                                {"us_low", row.time.total().value() * row.time.low * 1e6},
                                {"us_high", row.time.total().value() * row.time.high * 1e6},
                                {"algbw_GBps", row.algbw},
                                {"busbw_GBps", row.busbw},
                                {"algorithm", row.time.algorithm},
                                {"protocol", row.time.protocol},
                                {"channels", row.time.channels},
                                {"node_network_bytes", row.time.network_bytes.value()},
                                {"bound_by", to_string(row.time.binding)},
                                {"provenance", to_string(row.time.provenance)},
                                {"extrapolated", row.time.extrapolated}});
  }
  return document.dump(1) + "\n";
}

}  // namespace paceline
