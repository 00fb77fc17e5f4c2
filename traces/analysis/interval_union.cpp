#include "traces/analysis/interval_union.h"

#include <algorithm>

namespace paceline {

IntervalUnion::IntervalUnion(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  for (const Interval& interval : intervals) {
    if (interval.begin >= interval.end) continue;
    if (!intervals_.empty() && interval.begin <= intervals_.back().end) {
      intervals_.back().end = std::max(intervals_.back().end, interval.end);
    } else {
      intervals_.push_back(interval);
    }
  }
}

Nanoseconds IntervalUnion::length() const {
  Nanoseconds total = 0;
  for (const Interval& interval : intervals_) total += interval.end - interval.begin;
  return total;
}

Nanoseconds overlap(const IntervalUnion& a, const IntervalUnion& b) {
  Nanoseconds total = 0;
  auto left = a.intervals().begin();
  auto right = b.intervals().begin();
  while (left != a.intervals().end() && right != b.intervals().end()) {
    const Nanoseconds begin = std::max(left->begin, right->begin);
    const Nanoseconds end = std::min(left->end, right->end);
    if (begin < end) total += end - begin;
    if (left->end < right->end) {
      ++left;
    } else {
      ++right;
    }
  }
  return total;
}

}  // namespace paceline
