// Judging the predicted memory of training runs by published bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "sim/study/memory/published_memory.h"

namespace paceline {

// One rank of a row, with what was predicted for its stage.
struct JudgedMemory {
  MeasuredRank measured;
  Bytes between_steps, peak, reserved;
  std::string moment;    // of the peak
  bool has_peak = true;  // false: the row says too little for it
};

struct JudgedMemoryRow {
  std::string id, group, why_not, why_no_peak;
  std::vector<JudgedMemory> ranks;  // empty: not answered
};

// |ln(predicted / measured)| over the ranks of a group.
struct MemoryErrors {
  std::size_t count = 0;
  double median = 0, p90 = 0, largest = 0, mean = 0;
};

struct MemoryGroup {
  std::string name;
  std::size_t rows = 0, answered = 0, answered_peak = 0;
  MemoryErrors between_steps, peak, reserved;
  double within = 0;  // share of static values within max(1 %, 128 MiB)
  // How far static predictions stray inside the group, once what all of them miss alike (the median) is
  // taken off: the 90th percentile.
  Bytes spread;
};

struct MemoryValidation {
  std::vector<JudgedMemoryRow> rows;
  std::vector<MemoryGroup> groups;  // by name; the last one holds them all
};

// `files` empty: every file of kind memory in the catalog's published folder.
[[nodiscard]] MemoryValidation validate_memory(const Catalog& catalog, const std::string& data_folder,
                                               std::vector<std::string> files);

[[nodiscard]] Table memory_validation_table(const MemoryValidation& validation);
// Why rows were not answered, and how many.
[[nodiscard]] Table unanswered_memory_table(const MemoryValidation& validation);
// "paceline/memory-validation-1": every rank, in bytes.
[[nodiscard]] std::string memory_validation_json(const MemoryValidation& validation);

}  // namespace paceline
