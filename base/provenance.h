// Where a duration came from.
#pragma once

#include <cstdint>
#include <string_view>

namespace paceline {

enum class Provenance : std::uint8_t { modelled, interpolated, measured };

[[nodiscard]] constexpr std::string_view to_string(Provenance provenance) {
  switch (provenance) {
    case Provenance::modelled:
      return "modelled";
    case Provenance::interpolated:
      return "interpolated";
    case Provenance::measured:
      return "measured";
  }
  return "modelled";
}

}  // namespace paceline
