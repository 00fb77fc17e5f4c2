// Which way through a layer.
#pragma once

#include <cstdint>

namespace paceline {

enum class Direction : std::uint8_t { forward, backward };

}  // namespace paceline
