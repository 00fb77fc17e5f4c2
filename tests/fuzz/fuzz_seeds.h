// Good files to start from.
#pragma once

#include <string>

namespace paceline {

std::string seed_profile();
std::string seed_json();

}  // namespace paceline
