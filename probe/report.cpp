#include "probe/report.h"

#include <fmt/format.h>

#include <string>

namespace paceline {
namespace {

void add_row(Table& table, const std::string& what, const std::string& size, const std::string& rate,
             const Measurement& time) {
  const double spread = time.median_absolute_deviation / time.median;
  table.rows.push_back({what, size, to_string(time.median), fmt::format("{:.1f} %", 100 * spread),
                        to_string(time.p5), to_string(time.p95), rate, std::to_string(time.samples),
                        time.noisy ? "noisy" : ""});
}

Flops work_of(const MeasuredGemm& gemm) {
  return Flops(2.0 * static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k) *
               static_cast<double>(gemm.batch));
}

std::string words_of(std::string name) {
  for (char& c : name) c = c == '_' ? ' ' : c;
  return name;
}

}  // namespace

Table profile_table(const Profile& profile) {
  Table table;
  table.columns = {{"what", false}, {"size"}, {"median"}, {"MAD"},    {"p5"},
                   {"p95"},         {"rate"}, {"n"},      {"", false}};
  for (const auto& gemm : profile.gemms) {
    add_row(table, "gemm " + gemm.precision, fmt::format("{}x{}x{}", gemm.m, gemm.n, gemm.k),
            to_string(work_of(gemm) / gemm.time.median), gemm.time);
  }
  for (const auto& memory : profile.memory) {
    add_row(table, "memory " + memory.operation, to_binary_string(memory.bytes),
            to_string(memory.bytes / memory.time.median), memory.time);
  }
  for (const auto& copy : profile.copies) {
    add_row(table, fmt::format("copy {}{}", words_of(copy.direction), copy.pinned ? ", pinned" : ""),
            to_binary_string(copy.bytes), to_string(copy.bytes / copy.time.median), copy.time);
  }
  for (const auto& collective : profile.collectives) {
    add_row(
        table,
        fmt::format("{}, {}, {} ranks", words_of(collective.kind), collective.transport, collective.ranks),
        to_binary_string(collective.bytes), to_string(bus_bandwidth(collective)) + " busbw", collective.time);
  }
  for (const auto& launch : profile.launches) add_row(table, launch.what, "", "", launch.time);
  return table;
}

std::string profile_report(const Profile& profile) {
  std::string text =
      fmt::format("{} ({}) on {}, {}\n\n", profile.device, profile.backend, profile.host, profile.date);
  text += to_text(profile_table(profile)) + "\n";
  for (const std::string& note : profile.notes) text += "note: " + note + "\n";
  return text;
}

BytesPerSecond bus_bandwidth(const MeasuredCollective& collective) {
  const double ranks = collective.ranks;
  double factor = 1;  // broadcast, reduce
  if (collective.kind == "all_reduce") factor = 2 * (ranks - 1) / ranks;
  if (collective.kind == "all_gather" || collective.kind == "reduce_scatter") factor = (ranks - 1) / ranks;
  return collective.bytes / collective.time.median * factor;
}

}  // namespace paceline
