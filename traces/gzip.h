// gzip in memory.
#pragma once

#include <string>
#include <string_view>

namespace paceline {

// One gzip member without a time stamp: the same bytes in give the same bytes out.
[[nodiscard]] std::string gzip(std::string_view content);

}  // namespace paceline
