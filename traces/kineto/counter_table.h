// The counters of a trace: counter rows, and the memory events of PyTorch.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "traces/kineto/event_record.h"
#include "traces/kineto/track_table.h"
#include "traces/timeline.h"

namespace paceline {

class CounterTable {
 public:
  CounterTable(Timeline& timeline, TrackTable& tracks) : timeline_(timeline), tracks_(tracks) {}

  // A counter row: one series for each number in it. False if there is none.
  bool add(const EventRecord& record, Nanoseconds time);
  // A "[memory]" event: what is allocated and reserved on its device. Traces of 2021 give changes only, which
  // are summed up from the start of the trace.
  void add_memory(const EventRecord& record, Nanoseconds time);
  // Gives ranks to all counters; `rank` where the file says nothing else.
  void finish(std::int32_t rank);

 private:
  struct Key {
    RowId row;
    StringId name, unit;
    bool operator<(const Key& other) const;
  };

  void sample(RowId row, StringId name, StringId unit, Nanoseconds time, double value);

  Timeline& timeline_;
  TrackTable& tracks_;
  std::map<Key, std::size_t> counters_;
  std::vector<RowId> rows_;                         // of each counter
  std::unordered_map<StringId, double> allocated_;  // running sums
};

}  // namespace paceline
