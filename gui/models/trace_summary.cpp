#include "gui/models/trace_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/quantity.h"

namespace paceline::gui {
namespace {

std::string text_of(double nanoseconds) { return to_string(Seconds(nanoseconds * 1e-9)); }
std::string text_of(Nanoseconds time) { return text_of(static_cast<double>(time)); }
std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string rank_name(std::int32_t rank) { return rank < 0 ? "unknown" : std::to_string(rank); }

bool is_work(Family family) {
  return family != Family::step && family != Family::annotation && family != Family::other;
}

std::vector<std::string> rank_row(const RankAnalysis& rank) {
  std::vector<std::string> row{rank_name(rank.rank), std::to_string(rank.steps.size()),
                               rank.mean_step ? text_of(*rank.mean_step) : "–"};
  if (!rank.device) {
    row.resize(10, "–");
    return row;
  }
  const DeviceTime& device = *rank.device;
  const std::vector<std::string> device_part{std::to_string(device.kernels), text_of(device.span),
                                             percent(device.busy_share), text_of(device.compute_union)};
  row.insert(row.end(), device_part.begin(), device_part.end());
  if (!device.communication) {
    row.resize(10, "–");
    return row;
  }
  row.push_back(text_of(device.communication->union_length));
  row.push_back(text_of(device.communication->exposed));
  row.push_back(percent(device.communication->overlapped_share));
  return row;
}

}  // namespace

Table rank_table(const Analysis& analysis) {
  Table table;
  table.columns = {{"rank"}, {"steps"},   {"mean step"},     {"kernels"}, {"device span"},
                   {"busy"}, {"compute"}, {"communication"}, {"exposed"}, {"hidden"}};
  for (const RankAnalysis& rank : analysis.ranks) table.rows.push_back(rank_row(rank));
  return table;
}

Table name_table(const Analysis& analysis, std::size_t most) {
  std::vector<std::pair<const RankAnalysis*, const NameTime*>> all;
  for (const RankAnalysis& rank : analysis.ranks)
    for (const NameTime& name : rank.names)
      if (is_work(name.family)) all.emplace_back(&rank, &name);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second->total > b.second->total; });
  if (all.size() > most) all.resize(most);
  Table table;
  table.columns = {{"name", false}, {"family", false}, {"rank"}, {"count"}, {"total"}, {"mean"}, {"share"}};
  for (const auto& [rank, name] : all)
    table.rows.push_back({name->name, std::string(to_string(name->family)), rank_name(rank->rank),
                          std::to_string(name->count), text_of(name->total), text_of(name->mean),
                          percent(name->share)});
  return table;
}

std::string trace_line(const OpenedTrace& trace) {
  const Timeline& timeline = trace.layout->timeline();
  std::string line =
      fmt::format("{}: {}, {} slices on {} tracks", std::filesystem::path(trace.file).filename().string(),
                  trace.report.format, timeline.slice_count(), trace.layout->tracks().size());
  const std::uint64_t repaired =
      trace.report.count(ImportAction::repaired) + trace.report.count(ImportAction::clamped);
  if (repaired > 0) line += fmt::format("; {} records repaired", repaired);
  const std::uint64_t dropped = trace.report.count(ImportAction::dropped);
  if (dropped > 0) line += fmt::format("; {} dropped", dropped);
  if (trace.report.truncated) line += "; the file ends early";
  return line;
}

}  // namespace paceline::gui
