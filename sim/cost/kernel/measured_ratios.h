// Measured times of some shapes as corrections to the model of all: exact where a shape was measured,
// interpolated near it, fading out farther away.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/provenance.h"
#include "base/quantity.h"

namespace paceline {

class MeasuredRatios {
 public:
  using Sizes = std::array<double, 3>;  // m, n, k or any three sizes; all above 0

  struct Correction {
    double factor = 1;             // on the modelled time
    std::optional<Seconds> exact;  // the time of this very shape
    Provenance provenance = Provenance::modelled;
  };

  void add(const Sizes& sizes, Seconds measured, Seconds modelled);
  [[nodiscard]] bool empty() const { return points_.empty(); }
  // ln(measured / modelled) of the shapes within a factor 4 in every size, weighed by the inverse square of
  // their distance in ln(size); in full when the nearest lies within a factor 2, fading to nothing at 4.
  // `by_others`: as if this very shape had not been measured.
  [[nodiscard]] Correction at(const Sizes& sizes, bool by_others = false) const;

 private:
  struct Point {
    Sizes logarithms;
    double ratio;  // ln
    Seconds measured;
  };
  std::vector<Point> points_;
};

}  // namespace paceline
