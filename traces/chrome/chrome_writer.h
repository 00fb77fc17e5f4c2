// Writes a Timeline as Chrome JSON the way Kineto does: what reads PyTorch's traces reads ours, Perfetto
// included.
#pragma once

#include <iosfwd>
#include <string>

#include "traces/timeline.h"

namespace paceline {

// Reading it back with read_trace gives the same tracks, slices, arguments, flows and counters. What Chrome
// JSON has no word for stands in rows that viewers ignore: metadata rows "paceline_process" and
// "paceline_track" (rank, kind, ids, which lanes are one track), "family" where the category does not imply
// it, and the slice that a flow belongs to. Metadata that is not JSON is written as a string.
[[nodiscard]] std::string to_chrome_json(const Timeline& timeline);
void write_chrome_json(const Timeline& timeline, std::ostream& stream);

// Compressed if the name ends in ".gz". The file is whole or absent; throws InputError if it cannot be
// written.
void write_chrome_json(const Timeline& timeline, const std::string& file);

}  // namespace paceline
