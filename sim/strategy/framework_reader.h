// Reading a "paceline/framework-1" file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/strategy/framework.h"

namespace paceline {

// All of `files`, by name. A file that "extends" another framework, which may extend a third one itself,
// inherits all fields that it does not have but for name, title, source, aliases and what it is known for.
// Throws InputError.
[[nodiscard]] std::map<std::string, Framework> read_frameworks(const std::vector<std::string>& files);

}  // namespace paceline
