#include "traces/timeline.h"

namespace paceline {

StringPool::StringPool() { intern(""); }

StringPool::StringPool(const StringPool& other) {
  for (const std::string* text : other.strings_) intern(*text);
}

StringPool& StringPool::operator=(const StringPool& other) {
  if (this != &other) *this = StringPool(other);
  return *this;
}

StringId StringPool::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto place = ids_.emplace(text, static_cast<StringId>(strings_.size())).first;
  strings_.push_back(&place->first);
  return place->second;
}

std::optional<StringId> StringPool::find(std::string_view text) const {
  const auto found = ids_.find(text);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::string_view to_string(TrackKind kind) {
  switch (kind) {
    case TrackKind::host_thread:
      return "host_thread";
    case TrackKind::device_stream:
      return "device_stream";
    case TrackKind::annotation:
      return "annotation";
  }
  return "host_thread";
}

std::string_view to_string(Family family) {
  switch (family) {
    case Family::kernel:
      return "kernel";
    case Family::communication:
      return "communication";
    case Family::copy:
      return "copy";
    case Family::set:
      return "set";
    case Family::host:
      return "host";
    case Family::runtime:
      return "runtime";
    case Family::step:
      return "step";
    case Family::annotation:
      return "annotation";
    case Family::sync:
      return "sync";
    case Family::other:
      return "other";
  }
  return "other";
}

TrackId Timeline::add_track(const Track& track) {
  tracks.push_back(track);
  return static_cast<TrackId>(tracks.size() - 1);
}

SliceId Timeline::add_slice(TrackId track, StringId name, Family family, Nanoseconds start,
                            Nanoseconds duration) {
  start_.push_back(start);
  duration_.push_back(duration);
  name_.push_back(name);
  track_.push_back(track);
  family_.push_back(family);
  category_.push_back(0);
  first_argument_.push_back(static_cast<std::uint32_t>(arguments_.size()));
  return static_cast<SliceId>(start_.size() - 1);
}

void Timeline::add_argument(StringId key, ArgumentValue value, bool raw_json) {
  arguments_.push_back({key, value, raw_json});
}

void Timeline::add_argument(std::string_view key, ArgumentValue value) {
  add_argument(strings.intern(key), value);
}

void Timeline::reserve_slices(std::size_t count) {
  start_.reserve(count);
  duration_.reserve(count);
  name_.reserve(count);
  track_.reserve(count);
  family_.reserve(count);
  category_.reserve(count);
  first_argument_.reserve(count);
}

void Timeline::rebase(Nanoseconds zero) {
  base_time += zero;
  for (Nanoseconds& start : start_) start -= zero;
  for (Counter& counter : counters)
    for (Nanoseconds& time : counter.times) time -= zero;
}

std::pair<std::uint32_t, std::uint32_t> Timeline::argument_range(SliceId slice) const {
  const std::uint32_t end = slice + 1 < first_argument_.size()
                                ? first_argument_[slice + 1]
                                : static_cast<std::uint32_t>(arguments_.size());
  return {first_argument_[slice], end};
}

const Argument* Timeline::find_argument(SliceId slice, std::string_view key) const {
  const auto id = strings.find(key);
  if (!id) return nullptr;
  const auto [begin, end] = argument_range(slice);
  for (std::uint32_t index = begin; index < end; ++index)
    if (arguments_[index].key == *id) return &arguments_[index];
  return nullptr;
}

}  // namespace paceline
