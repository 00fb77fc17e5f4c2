#include "traces/kineto/track_table.h"

#include <algorithm>
#include <charconv>

namespace paceline {
namespace {

// The number at the end of "stream 7"; -1 if there is none.
std::int64_t trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::string_view digits = last == std::string_view::npos ? text : text.substr(last + 1);
  std::int64_t number = -1;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return result.ec == std::errc() ? number : -1;
}

TrackKind kind_of(std::string_view word) {
  for (TrackKind kind : {TrackKind::device_stream, TrackKind::annotation})
    if (to_string(kind) == word) return kind;
  return TrackKind::host_thread;
}

std::optional<std::int32_t> checked_rank(std::int64_t rank) {
  if (rank < -1 || rank > 1'000'000'000) return std::nullopt;
  return static_cast<std::int32_t>(rank);
}

}  // namespace

std::size_t TrackTable::Hash::operator()(const Key& key) const {
  const std::uint64_t mixed = (key.number + (key.is_text ? 0x9E3779B97F4A7C15U : 0U)) * 0xD6E8FEB86659FD93U;
  return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
}

std::size_t TrackTable::Hash::operator()(const RowKey& key) const {
  return (*this)(key.process) * 31 + (*this)(key.thread);
}

TrackTable::Key TrackTable::key(const RecordId& id) {
  if (id.is_text || !id.present) return {timeline_.strings.intern(id.text), true};
  return {static_cast<std::uint64_t>(id.number), false};
}

RowId TrackTable::row(const RecordId& process, const RecordId& thread) {
  const RowKey wanted{key(process), key(thread)};
  const auto [place, inserted] = row_ids_.try_emplace(wanted, static_cast<RowId>(rows_.size()));
  if (inserted) rows_.push_back({wanted, none, none, 0, 0});
  return place->second;
}

TrackId TrackTable::track(RowId row, TrackKind kind) {
  TrackId& place = kind == TrackKind::device_stream ? rows_[row].device : rows_[row].host;
  if (place == none) {
    Track track;
    track.kind =
        kind == TrackKind::host_thread && rows_[row].key.process.is_text ? TrackKind::annotation : kind;
    place = timeline_.add_track(track);
    row_of_track_.push_back(row);
    declared_.push_back(false);
  }
  return place;
}

bool TrackTable::metadata(const EventRecord& record) {
  Process& process = processes_[key(record.process)];
  if (record.name == "process_name") {
    process.name = timeline_.strings.intern(record.text("name"));
  } else if (record.name == "process_labels") {
    process.labels = timeline_.strings.intern(record.text("labels"));
  } else if (record.name == "thread_name") {
    rows_[row(record.process, record.thread)].name = timeline_.strings.intern(record.text("name"));
  } else if (record.name == "thread_sort_index") {
    rows_[row(record.process, record.thread)].sort_index = record.integer("sort_index", 0);
  } else if (record.name == "paceline_process") {
    process.rank = checked_rank(record.integer("rank", -1));
  } else if (record.name == "paceline_track") {
    declare_track(rows_[row(record.process, record.thread)], record);
  } else {
    return record.name == "process_sort_index";
  }
  return true;
}

// Lanes of one track carry the same number and become one track again.
void TrackTable::declare_track(Row& row, const EventRecord& record) {
  const std::int64_t number = record.integer("track", -1);
  const auto known = declared_tracks_.find(number);
  if (known != declared_tracks_.end()) {
    row.host = row.device = known->second;
    return;
  }
  Track track;
  track.kind = kind_of(record.text("kind"));
  track.process_id = record.integer("process_id", 0);
  track.thread_id = record.integer("thread_id", 0);
  row.host = row.device = timeline_.add_track(track);
  row_of_track_.push_back(static_cast<RowId>(&row - rows_.data()));
  declared_.push_back(true);
  declared_tracks_.emplace(number, row.host);
}

std::int64_t TrackTable::number_of(const Key& key) const {
  if (!key.is_text) return static_cast<std::int64_t>(key.number);
  return trailing_number(timeline_.strings[static_cast<StringId>(key.number)]);
}

std::optional<std::int32_t> TrackTable::rank_of(RowId row) const {
  const auto process = processes_.find(rows_[row].key.process);
  return process == processes_.end() ? std::nullopt : process->second.rank;
}

std::string_view TrackTable::process_word(RowId row) const {
  const Key& process = rows_[row].key.process;
  if (!process.is_text) return {};
  return timeline_.strings[static_cast<StringId>(process.number)];
}

void TrackTable::name_track(Track& track, const Row& row) {
  const auto process = processes_.find(row.key.process);
  const Process facts = process == processes_.end() ? Process() : process->second;
  // Kineto calls every process of a trace "python" and labels the devices "GPU 0".
  const bool labelled = track.kind == TrackKind::device_stream && facts.labels != 0;
  track.process_name = labelled ? facts.labels : facts.name;
  if (track.process_name == 0 && row.key.process.is_text)
    track.process_name = static_cast<StringId>(row.key.process.number);
  track.name = row.name;
  if (track.name == 0 && row.key.thread.is_text) track.name = static_cast<StringId>(row.key.thread.number);
  track.sort_index = row.sort_index;
}

void TrackTable::finish(std::int32_t rank) {
  for (TrackId index = 0; index < timeline_.tracks.size(); ++index) {
    Track& track = timeline_.tracks[index];
    const Row& row = rows_[row_of_track_[index]];
    name_track(track, row);
    track.rank = rank_of(row_of_track_[index]).value_or(rank);
    if (declared_[index]) continue;
    track.process_id = number_of(row.key.process);
    track.thread_id = number_of(row.key.thread);
  }
}

}  // namespace paceline
