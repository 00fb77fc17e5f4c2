// Unions of time intervals, exact in integer nanoseconds.
#pragma once

#include <vector>

#include "traces/timeline.h"

namespace paceline {

struct Interval {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;  // not included
};

// Disjoint intervals in order of time; touching ones are merged and empty ones left out.
class IntervalUnion {
 public:
  IntervalUnion() = default;
  explicit IntervalUnion(std::vector<Interval> intervals);

  [[nodiscard]] Nanoseconds length() const;
  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  std::vector<Interval> intervals_;
};

// Length of what lies in both.
[[nodiscard]] Nanoseconds overlap(const IntervalUnion& a, const IntervalUnion& b);

}  // namespace paceline
