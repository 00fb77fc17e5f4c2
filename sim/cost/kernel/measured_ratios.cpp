#include "sim/cost/kernel/measured_ratios.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

const double whole = std::log(2.0), none = std::log(4.0);

// 1 up to a factor 2, 0 from a factor 4.
double strength(double distance) { return std::clamp((none - distance) / (none - whole), 0.0, 1.0); }

MeasuredRatios::Sizes logarithms_of(const MeasuredRatios::Sizes& sizes) {
  return {std::log(sizes[0]), std::log(sizes[1]), std::log(sizes[2])};
}

}  // namespace

void MeasuredRatios::add(const Sizes& sizes, Seconds measured, Seconds modelled) {
  points_.push_back({logarithms_of(sizes), std::log(measured / modelled), measured});
}

MeasuredRatios::Correction MeasuredRatios::at(const Sizes& sizes, bool by_others) const {
  const Sizes place = logarithms_of(sizes);
  double weights = 0, sum = 0, nearest = std::numeric_limits<double>::infinity();
  for (const Point& point : points_) {
    double farthest = 0, squares = 0;
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const double apart = std::abs(place[axis] - point.logarithms[axis]);
      farthest = std::max(farthest, apart);
      squares += apart * apart;
    }
    if (farthest >= none) continue;
    if (squares == 0) {
      if (!by_others) return {std::exp(point.ratio), point.measured, Provenance::measured};
      continue;
    }
    const double weight = strength(farthest) / squares;
    weights += weight;
    sum += weight * point.ratio;
    nearest = std::min(nearest, farthest);
  }
  if (weights == 0) return {};
  return {std::exp(strength(nearest) * sum / weights), std::nullopt, Provenance::interpolated};
}

}  // namespace paceline
