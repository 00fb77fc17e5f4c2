#include "sim/study/nccl_tests/curve_breaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

// A factor that no change of algorithm or protocol reaches: the largest among healthy published tables
// is 1.22 (four GB200, 4 to 8 MiB: 36 to 88 us); the audits of those tables take 1.5 for spikes.
constexpr double unlike_a_curve = 1.5;
constexpr double mib = 1024.0 * 1024.0;

double seconds(const NcclTestsRow& row) { return row.time().value(); }

// Slower than a larger message, or alone slower than the line through its neighbours.
std::vector<bool> outliers_of(const std::vector<NcclTestsRow>& rows) {
  std::vector<bool> outlier(rows.size(), false);
  double least = std::numeric_limits<double>::infinity();  // of the times of larger messages
  for (std::size_t index = rows.size(); index-- > 0;) {
    outlier[index] = seconds(rows[index]) > unlike_a_curve * least;
    least = std::min(least, seconds(rows[index]));
  }
  for (std::size_t index = 1; index + 1 < rows.size(); ++index) {
    const NcclTestsRow &before = rows[index - 1], &here = rows[index], &after = rows[index + 1];
    if (outlier[index - 1] || outlier[index + 1]) continue;
    const double share = std::log(here.bytes / before.bytes) / std::log(after.bytes / before.bytes);
    const double between = seconds(before) * std::pow(seconds(after) / seconds(before), share);
    const bool back = seconds(after) < unlike_a_curve * seconds(before) * (after.bytes / before.bytes);
    if (back && seconds(here) > unlike_a_curve * between) outlier[index] = true;
  }
  return outlier;
}

}  // namespace

CurveShape curve_shape(const std::vector<NcclTestsRow>& rows) {
  CurveShape shape;
  const std::vector<bool> outlier = outliers_of(rows);
  std::vector<const NcclTestsRow*> kept;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    if (outlier[index])
      shape.outliers.push_back(index);
    else
      kept.push_back(&rows[index]);
  }
  for (std::size_t index = 0; index + 1 < kept.size(); ++index) {
    const NcclTestsRow &below = *kept[index], &above = *kept[index + 1];
    const double time_ratio = seconds(above) / seconds(below), size_ratio = above.bytes / below.bytes;
    if (time_ratio > unlike_a_curve * size_ratio)
      shape.breaks.push_back({below.bytes, above.bytes, time_ratio, size_ratio});
  }
  double best = 0;
  for (const NcclTestsRow* row : kept) {
    if (row->bytes < Bytes(mib)) continue;
    const double rate = row->bytes.value() / seconds(*row);
    best = std::max(best, rate);
    if (1 - rate / best <= shape.deepest_fall) continue;
    shape.deepest_fall = 1 - rate / best;
    shape.fall_at = row->bytes;
  }
  return shape;
}

std::string to_string(const CurveBreak& found) {
  return fmt::format("the time grows {:.1f} x from {} to {}, {:.1f} x the size: another regime begins there",
                     found.time_ratio, to_binary_string(found.below), to_binary_string(found.above),
                     found.size_ratio);
}

}  // namespace paceline
