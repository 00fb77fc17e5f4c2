// Where a table of times is not the curve of one latency and one bandwidth per algorithm.
#pragma once

#include <string>
#include <vector>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline {

// The time grows faster than the size by more than any change of algorithm makes it.
struct CurveBreak {
  Bytes below, above;     // the break lies between them
  double time_ratio = 1;  // of the times
  double size_ratio = 1;
};

struct CurveShape {
  std::vector<std::size_t> outliers;  // indices of rows slower than larger messages, or than both neighbours
  std::vector<CurveBreak> breaks;
  double deepest_fall =
      0;  // of algbw below its running maximum, 0 to 1, sizes of 1 MiB and more, no outliers
  Bytes fall_at;
};

// `rows` ascending by bytes. Linear in their number.
[[nodiscard]] CurveShape curve_shape(const std::vector<NcclTestsRow>& rows);

// "the time grows 11.2 x from 33.55 MB to 67.11 MB, which is 2.0 x the size: another regime begins there"
[[nodiscard]] std::string to_string(const CurveBreak& found);

}  // namespace paceline
