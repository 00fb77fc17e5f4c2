#include <fmt/format.h>

#include <memory>

#include "base/table.h"
#include "sim/cli/commands.h"
#include "traces/analysis/analysis.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline::cli {
namespace {

std::string micro(Nanoseconds time) { return fmt::format("{:.3f}", static_cast<double>(time) * 1e-3); }

void print_rank(const RankAnalysis& rank) {
  fmt::print("\nrank {}\n", rank.rank < 0 ? std::string("not stated") : std::to_string(rank.rank));
  if (rank.mean_step) fmt::print("  {} steps, mean {:.3f} us\n", rank.steps.size(), *rank.mean_step * 1e-3);
  if (!rank.device) {
    fmt::print("  no GPU activity\n");
    return;
  }
  const DeviceTime& device = *rank.device;
  fmt::print("  {} kernels, {} copies and sets on {} streams\n", device.kernels, device.copies_and_sets,
             device.streams);
  fmt::print("  span {} us, busy {:.3f} %, compute {} us\n", micro(device.span), device.busy_share * 100,
             micro(device.compute_union));
  if (!device.communication) {
    fmt::print("  communication: none found\n");
  } else {
    const CommunicationTime& time = *device.communication;
    fmt::print("  communication: {} kernels, union {} us, overlapped {:.3f} %, exposed {} us\n", time.count,
               micro(time.union_length), time.overlapped_share * 100, micro(time.exposed));
  }
  Table table{{{"family", false}, {"count"}, {"total us"}, {"mean us"}, {"share %"}, {"name", false}}, {}};
  for (std::size_t index = 0; index < rank.names.size() && index < 12; ++index) {
    const NameTime& name = rank.names[index];
    table.rows.push_back({std::string(to_string(name.family)), std::to_string(name.count), micro(name.total),
                          fmt::format("{:.3f}", name.mean * 1e-3), fmt::format("{:.1f}", name.share * 100),
                          name.name.substr(0, 80)});
  }
  fmt::print("\n{}", to_text(table));
}

void run(const std::string& file) {
  const TraceImport import = read_trace(file);
  fmt::print("{}: {}, {} slices\n", file, import.report.format, import.timeline.slice_count());
  fmt::print("{}", to_text(import.report));
  for (const RankAnalysis& rank : analyze(import.timeline).ranks) print_rank(rank);
}

}  // namespace

void add_trace(CLI::App& app, const CommonOptions&, int&) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("trace", "read traces of PyTorch's profiler and our own");
  command->require_subcommand(1);
  CLI::App* analysis = command->add_subcommand("analyze", "steps, busy time, communication and its overlap");
  analysis->add_option("FILE", *file, "a Kineto or Chrome JSON trace, plain or gzip")->required();
  analysis->callback([file] { run(*file); });
}

}  // namespace paceline::cli
