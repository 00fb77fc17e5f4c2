// Times as traces print them: decimal microseconds.
#pragma once

#include <optional>
#include <string_view>

#include "traces/timeline.h"

namespace paceline {

// Exact: the digits are never turned into a double, which at microseconds since 1970 would lose a quarter of
// one. Beyond three decimals, rounds half away from zero. Nothing if the text is no number or beyond 2^61 ns
// (the year 2043), so that a start and a duration always add up.
[[nodiscard]] std::optional<Nanoseconds> parse_microseconds(std::string_view text);

}  // namespace paceline
