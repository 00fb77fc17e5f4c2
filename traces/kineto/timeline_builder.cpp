#include "traces/kineto/timeline_builder.h"

#include <algorithm>
#include <array>

#include "traces/category.h"
#include "traces/kineto/decimal_time.h"

namespace paceline {
namespace {

constexpr std::array<Family, 10> families = {
    Family::kernel,  Family::communication, Family::copy,       Family::set,  Family::host,
    Family::runtime, Family::step,          Family::annotation, Family::sync, Family::other};

}  // namespace

void TimelineBuilder::add(const EventRecord& record, std::uint64_t offset) {
  if (record.phase == "X") slice_of_record_.push_back(FlowEnd::unknown);
  if (record.phase == "M") {
    if (!tracks_.metadata(record)) findings_.add(Finding::unknown_phase, offset);
    return;
  }
  const auto time = parse_microseconds(record.time);
  if (time) return add_timed(record, *time, offset);
  findings_.add(record.phase.empty() ? Finding::unknown_phase : Finding::missing_time, offset);
}

void TimelineBuilder::add_timed(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  const char phase = record.phase.size() == 1 ? record.phase.front() : ' ';
  latest_ = slice_of_record_.empty() ? time : std::max(latest_, time);
  switch (phase) {
    case 'X':
      return add_slice(record, time, offset);
    case 'B':
      return begin_slice(record, time, offset);
    case 'E':
      return end_slice(record, time, offset);
    case 'i':
    case 'I':
    case 'R':
      return add_instant(record, time, offset);
    case 'C':
      if (!counters_.add(record, time)) findings_.add(Finding::bad_counter, offset);
      return;
    case 's':
    case 't':
    case 'f':
      return add_flow_end(record, time, offset);
    default:
      findings_.add(Finding::unknown_phase, offset);
  }
}

// The family depends on category and name only, so it is worked out once for each pair.
TimelineBuilder::Kind TimelineBuilder::kind_of(const EventRecord& record, StringId category, StringId name) {
  const auto [place, inserted] = kinds_.try_emplace({category, name});
  if (inserted)
    place->second = {family_of(record.category, record.name), is_device_category(record.category)};
  Kind kind = place->second;
  if (record.family.empty()) return kind;
  for (Family family : families)
    if (to_string(family) == record.family) kind.family = family;
  return kind;
}

SliceId TimelineBuilder::put(const EventRecord& record, std::string_view category, Nanoseconds time,
                             Nanoseconds duration) {
  const StringId name = timeline_.strings.intern(record.name);
  const StringId category_id = timeline_.strings.intern(category);
  const Kind kind = kind_of(record, category_id, name);
  const RowId row = tracks_.row(record.process, record.thread);
  const TrackId track =
      tracks_.track(row, kind.on_device ? TrackKind::device_stream : TrackKind::host_thread);
  const SliceId slice = timeline_.add_slice(track, name, kind.family, time, duration);
  if (category != category_of(kind.family, timeline_.tracks[track].kind))
    timeline_.set_category(slice, category_id);
  latest_ = std::max(latest_, time + duration);
  return slice;
}

void TimelineBuilder::add_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  auto duration = parse_microseconds(record.duration);
  if (!duration) findings_.add(Finding::missing_duration, offset);
  if (duration && *duration < 0) findings_.add(Finding::negative_duration, offset);
  duration = std::max<Nanoseconds>(0, duration.value_or(0));
  slice_of_record_.back() = put(record, record.category, time, *duration);
  add_arguments(record, offset);
}

void TimelineBuilder::add_arguments(const EventRecord& record, std::uint64_t offset) {
  const std::uint64_t stamp = timeline_.slice_count();
  bool duplicate = false;
  // Backwards the last value of a key comes first; the others are left out.
  std::vector<bool> kept(record.arguments.size());
  for (std::size_t at = record.arguments.size(); at-- > 0;) {
    const StringId key = timeline_.strings.intern(record.arguments[at].key);
    if (last_use_of_key_.size() <= key) last_use_of_key_.resize(timeline_.strings.size());
    kept[at] = last_use_of_key_[key] != stamp;
    last_use_of_key_[key] = stamp;
    duplicate = duplicate || !kept[at];
  }
  if (duplicate) findings_.add(Finding::duplicate_key, offset);
  for (std::size_t at = 0; at < record.arguments.size(); ++at) {
    if (!kept[at]) continue;
    const RecordArgument& argument = record.arguments[at];
    const StringId key = timeline_.strings.intern(argument.key);
    if (const auto* text = std::get_if<std::string_view>(&argument.value)) {
      timeline_.add_argument(key, timeline_.strings.intern(*text), argument.raw_json);
    } else if (const auto* integer = std::get_if<std::int64_t>(&argument.value)) {
      timeline_.add_argument(key, *integer);
    } else if (const auto* large = std::get_if<std::uint64_t>(&argument.value)) {
      timeline_.add_argument(key, *large);
    } else if (const auto* real = std::get_if<double>(&argument.value)) {
      timeline_.add_argument(key, *real);
    } else {
      timeline_.add_argument(key, std::get<bool>(argument.value));
    }
  }
}

void TimelineBuilder::begin_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  const SliceId slice = put(record, record.category, time, 0);
  add_arguments(record, offset);
  open_[tracks_.row(record.process, record.thread)].push_back({slice, offset});
}

void TimelineBuilder::end_slice(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  std::vector<OpenSlice>& open = open_[tracks_.row(record.process, record.thread)];
  if (open.empty()) return findings_.add(Finding::end_without_begin, offset);
  const SliceId slice = open.back().slice;
  open.pop_back();
  if (time < timeline_.start(slice)) return findings_.add(Finding::negative_duration, offset);
  timeline_.set_duration(slice, time - timeline_.start(slice));
}

// Marks are slices without length, but for PyTorch's memory events, which are samples of a counter.
void TimelineBuilder::add_instant(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  if (record.name == "[memory]") return counters_.add_memory(record, time);
  put(record, "instant", time, 0);
  add_arguments(record, offset);
}

void TimelineBuilder::add_flow_end(const EventRecord& record, Nanoseconds time, std::uint64_t offset) {
  FlowEnd end;
  end.offset = offset;
  end.time = time;
  end.phase = record.phase.front();
  end.row = tracks_.row(record.process, record.thread);
  end.category = timeline_.strings.intern(record.category.empty() ? record.name : record.category);
  end.id_is_text = record.id.is_text;
  end.id = end.id_is_text ? timeline_.strings.intern(record.id.text)
                          : static_cast<std::uint64_t>(record.id.number);
  // Our own writer says which slice it means.
  const std::int64_t slice = record.integer("slice", -1);
  if (slice >= 0 && slice < static_cast<std::int64_t>(slice_of_record_.size()))
    end.slice = slice_of_record_[static_cast<std::size_t>(slice)];
  flow_ends_.push_back(end);
}

void TimelineBuilder::end_open_slices() {
  for (const auto& [row, open] : open_) {
    for (const OpenSlice& slice : open) {
      timeline_.set_duration(slice.slice, std::max<Nanoseconds>(0, latest_ - timeline_.start(slice.slice)));
      findings_.add(Finding::unended_slice, slice.offset);
    }
  }
}

std::uint64_t TimelineBuilder::finish(std::int32_t rank) {
  end_open_slices();
  tracks_.finish(rank);
  counters_.finish(rank);
  return match_flows(timeline_, tracks_, std::move(flow_ends_), findings_);
}

}  // namespace paceline
