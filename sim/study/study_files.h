// The files that a study leaves behind.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.h"

namespace paceline {

// Into `folder`: table.md, table.csv, result.json, speedup.svg, memory.svg and timelines/<case>.json.gz. The
// folder is created; every file is whole or absent. Throws InputError if it cannot be written. Returns the
// files' paths.
std::vector<std::string> write_study(const Study& study, const std::vector<StudyRow>& rows,
                                     const std::string& folder);

[[nodiscard]] std::string speedup_chart(const Study& study, const std::vector<StudyRow>& rows);
[[nodiscard]] std::string memory_chart(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace paceline
