#include "tests/gui/sample_timeline.h"

namespace paceline::gui {

std::shared_ptr<const Timeline> sample_timeline() {
  auto timeline = std::make_shared<Timeline>();
  StringPool& strings = timeline->strings;
  const TrackId compute = timeline->add_track({.rank = 0,
                                               .kind = TrackKind::device_stream,
                                               .process_name = strings.intern("GPU 0"),
                                               .name = strings.intern("compute stream"),
                                               .process_id = 1});
  const TrackId communication = timeline->add_track({.rank = 0,
                                                     .kind = TrackKind::device_stream,
                                                     .process_name = strings.intern("GPU 0"),
                                                     .name = strings.intern("NCCL stream"),
                                                     .process_id = 1,
                                                     .sort_index = 1});
  const TrackId host = timeline->add_track({.rank = 0,
                                            .kind = TrackKind::host_thread,
                                            .process_name = strings.intern("python"),
                                            .name = strings.intern("main thread"),
                                            .process_id = 1});
  timeline->add_slice(compute, strings.intern("conv forward"), Family::kernel, 0, 400'000);
  timeline->add_argument("phase", strings.intern("forward"));
  timeline->add_argument("bytes", std::int64_t{4096});
  timeline->add_slice(compute, strings.intern("conv backward"), Family::kernel, 400'000, 600'000);
  timeline->add_argument("phase", strings.intern("backward"));
  timeline->add_slice(communication, strings.intern("all-reduce"), Family::communication, 600'000, 300'000);
  timeline->add_slice(host, strings.intern("ProfilerStep#0"), Family::step, 0, 1'000'000);
  timeline->add_slice(host, strings.intern("launch"), Family::runtime, 0, 100'000);
  timeline->flows.push_back({launch_slice, forward_slice, strings.intern("ac2g")});
  return timeline;
}

std::shared_ptr<const Timeline> dense_timeline(std::uint32_t count) {
  auto timeline = std::make_shared<Timeline>();
  const TrackId track = timeline->add_track({.kind = TrackKind::device_stream});
  const StringId name = timeline->strings.intern("kernel");
  timeline->reserve_slices(count);
  for (std::uint32_t index = 0; index < count; ++index)
    timeline->add_slice(track, name, Family::kernel, Nanoseconds{index} * 10, 6);
  return timeline;
}

}  // namespace paceline::gui
