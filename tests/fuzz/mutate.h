// Damage of the kinds that files suffer, from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace paceline {

// The same text and seed give the same result on every machine.
std::string mutate(std::string text, std::uint64_t seed);

}  // namespace paceline
