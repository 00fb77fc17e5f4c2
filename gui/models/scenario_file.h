// Tells scenarios from traces.
#pragma once

#include <string>

namespace paceline::gui {

// Whether the beginning of the file names the format of scenarios. Throws InputError if it cannot be read.
[[nodiscard]] bool is_scenario_file(const std::string& file);

}  // namespace paceline::gui
