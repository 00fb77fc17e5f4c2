// Turns records into a Timeline.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/kineto/counter_table.h"
#include "traces/kineto/event_record.h"
#include "traces/kineto/flow_matcher.h"
#include "traces/kineto/import_report.h"
#include "traces/kineto/track_table.h"
#include "traces/timeline.h"

namespace paceline {

class TimelineBuilder {
 public:
  TimelineBuilder(Timeline& timeline, FindingLog& findings)
      : timeline_(timeline), findings_(findings), tracks_(timeline), counters_(timeline, tracks_) {}

  void add(const EventRecord& record, std::uint64_t offset);
  // `rank` is that of rows for which the file says nothing else. Returns the flow starts and ends left over.
  std::uint64_t finish(std::int32_t rank);

 private:
  struct OpenSlice {
    SliceId slice;
    std::uint64_t offset;
  };
  struct FamilyKey {
    StringId category, name;
    bool operator==(const FamilyKey&) const = default;
  };
  struct FamilyHash {
    std::size_t operator()(const FamilyKey& key) const {
      return std::size_t{key.category} * 0x9E3779B1U + key.name;
    }
  };
  struct Kind {
    Family family;
    bool on_device;
  };

  void add_timed(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  void add_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  void add_arguments(const EventRecord& record, std::uint64_t offset);
  void begin_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  void end_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  void add_instant(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  void add_flow_end(const EventRecord& record, Nanoseconds time, std::uint64_t offset);
  SliceId put(const EventRecord& record, std::string_view category, Nanoseconds time, Nanoseconds duration);
  Kind kind_of(const EventRecord& record, StringId category, StringId name);
  void end_open_slices();

  Timeline& timeline_;
  FindingLog& findings_;
  TrackTable tracks_;
  CounterTable counters_;
  std::unordered_map<FamilyKey, Kind, FamilyHash> kinds_;
  std::vector<SliceId>
      slice_of_record_;  // slices in the order in which the file has them, lost ones included
  std::unordered_map<RowId, std::vector<OpenSlice>> open_;
  std::vector<std::uint64_t> last_use_of_key_;  // by StringId: the slice that used it last, plus 1
  std::vector<FlowEnd> flow_ends_;
  Nanoseconds latest_ = 0;
};

}  // namespace paceline
