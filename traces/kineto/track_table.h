// The rows of a trace: which (process, thread) of the file is which track.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "traces/kineto/event_record.h"
#include "traces/timeline.h"

namespace paceline {

using RowId = std::uint32_t;

// A row of the file holds up to two tracks: host threads with process 0 and thread 0 share their ids with
// stream 0 of GPU 0. Rows are found in constant time, and tracks exist only where there are slices.
class TrackTable {
 public:
  explicit TrackTable(Timeline& timeline) : timeline_(timeline) {}

  RowId row(const RecordId& process, const RecordId& thread);
  TrackId track(RowId row, TrackKind kind);
  [[nodiscard]] RowId row_of(TrackId track) const { return row_of_track_[track]; }
  [[nodiscard]] std::size_t row_count() const { return rows_.size(); }

  // A metadata row. True if it was understood.
  bool metadata(const EventRecord& record);
  // Gives names and ranks to all tracks; `rank` where the file says nothing else.
  void finish(std::int32_t rank);
  // The rank that the file gives to a process, in its own words.
  [[nodiscard]] std::optional<std::int32_t> rank_of(RowId row) const;
  // Where the process is called by a word, such as "GPU 0 Counters".
  [[nodiscard]] std::string_view process_word(RowId row) const;

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Key {
    std::uint64_t number = 0;
    bool is_text = false;
    bool operator==(const Key&) const = default;
  };
  struct RowKey {
    Key process, thread;
    bool operator==(const RowKey&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
    std::size_t operator()(const RowKey& key) const;
  };
  struct Process {
    StringId name = 0;
    StringId labels = 0;
    std::optional<std::int32_t> rank;
  };
  struct Row {
    RowKey key;
    TrackId host = none;
    TrackId device = none;
    StringId name = 0;
    std::int64_t sort_index = 0;
  };

  Key key(const RecordId& id);
  void declare_track(Row& row, const EventRecord& record);
  void name_track(Track& track, const Row& row);
  [[nodiscard]] std::int64_t number_of(const Key& key) const;

  Timeline& timeline_;
  std::unordered_map<Key, Process, Hash> processes_;
  std::unordered_map<RowKey, RowId, Hash> row_ids_;
  std::vector<Row> rows_;
  std::vector<RowId> row_of_track_;
  std::vector<bool> declared_;                                 // of each track: by our own writer
  std::unordered_map<std::int64_t, TrackId> declared_tracks_;  // by the number that our writer gave them
};

}  // namespace paceline
