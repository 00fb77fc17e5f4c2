#pragma once

#include <string>

namespace paceline {

// Version, compiler and the optional libraries that this build has.
[[nodiscard]] std::string version_text();

}  // namespace paceline
