// Reads traces of PyTorch's profiler (Kineto) and other Chrome JSON, of all generations since 2021, and our
// own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/kineto/import_report.h"
#include "traces/timeline.h"

namespace paceline {

struct TraceImport {
  Timeline timeline;
  ImportReport report;
};

// One pass, linear time, and besides the Timeline only the memory of the largest record. Plain or gzip, known
// by the content. Bad records are repaired, clamped or dropped, and listed in the report; a file that ends
// early gives all complete records. Throws InputError if the file cannot be read and TraceError if it is not
// Chrome JSON, naming what it is where that can be told (PyTorch execution trace, rocprofiler-sdk JSON,
// SQLite, ...).
//
// Times are integer nanoseconds, exact. Where the trace gives no baseTimeNanoseconds, the earliest slice is
// time 0. The rank is that of distributedInfo, else of the file name ("rank_3", "rank3", "rank-3"), else -1.
[[nodiscard]] TraceImport read_trace(const std::string& file);

// The same for bytes in memory; `name` stands for the file in messages and for the rank.
[[nodiscard]] TraceImport read_trace_bytes(std::string_view bytes, const std::string& name);

// The rank in a file's name; the folder does not count.
[[nodiscard]] std::optional<std::int32_t> rank_in_file_name(std::string_view file);

}  // namespace paceline
