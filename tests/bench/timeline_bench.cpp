// Speed of writing and reading Timelines of 100,000 slices, in bytes of JSON a second.
#include <benchmark/benchmark.h>

#include "traces/analysis/analysis.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/kineto/kineto_reader.h"

namespace {

constexpr std::int64_t slice_count = 100'000;

// A stream of kernels of 32 names with the arguments that Kineto gives them, and an operator for each.
paceline::Timeline timeline_of(std::int64_t slices) {
  paceline::Timeline timeline;
  paceline::Track track;
  track.rank = 0;
  const paceline::TrackId host = timeline.add_track(track);
  track.kind = paceline::TrackKind::device_stream;
  track.thread_id = 7;
  const paceline::TrackId stream = timeline.add_track(track);
  const paceline::StringId grid = timeline.strings.intern("grid");
  const paceline::StringId grid_value = timeline.strings.intern("[128, 1, 1]");
  for (std::int64_t index = 0; index < slices / 2; ++index) {
    const std::string number = std::to_string(index % 32);
    timeline.add_slice(host, timeline.strings.intern("aten::operator_" + number), paceline::Family::host,
                       index * 5000, 4000);
    timeline.add_argument("External id", index);
    timeline.add_slice(stream, timeline.strings.intern("void kernel<float, " + number + ">(float*)"),
                       paceline::Family::kernel, index * 5000 + 2000, 4321);
    timeline.add_argument("correlation", index);
    timeline.add_argument("registers per thread", std::int64_t{64});
    timeline.add_argument("est. achieved occupancy %", 31.5);
    timeline.add_argument(grid, grid_value, true);
  }
  return timeline;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
  state.counters["slices"] =
      benchmark::Counter(static_cast<double>(slice_count), benchmark::Counter::kIsIterationInvariantRate);
}

void write_timeline(benchmark::State& state) {
  const paceline::Timeline timeline = timeline_of(slice_count);
  std::size_t bytes = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const std::string text = paceline::to_chrome_json(timeline);
    benchmark::DoNotOptimize(text.data());
    bytes = text.size();
  }
  count_bytes(state, bytes);
}
BENCHMARK(write_timeline)->Unit(benchmark::kMillisecond);

void read_timeline(benchmark::State& state) {
  const std::string text = paceline::to_chrome_json(timeline_of(slice_count));
  for ([[maybe_unused]] auto iteration : state) {
    const paceline::TraceImport import = paceline::read_trace_bytes(text, "trace.json");
    benchmark::DoNotOptimize(import.timeline.slice_count());
  }
  count_bytes(state, text.size());
}
BENCHMARK(read_timeline)->Unit(benchmark::kMillisecond);

void analyze_timeline(benchmark::State& state) {
  const paceline::Timeline timeline = timeline_of(slice_count);
  for ([[maybe_unused]] auto iteration : state) {
    const paceline::Analysis analysis = paceline::analyze(timeline);
    benchmark::DoNotOptimize(analysis.ranks.data());
  }
  count_bytes(state, 0);
}
BENCHMARK(analyze_timeline)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
