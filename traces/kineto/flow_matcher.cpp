#include "traces/kineto/flow_matcher.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace paceline {
namespace {

// Finds the slices of all ends in one sweep over each row.
class Binder {
 public:
  Binder(const Timeline& timeline, const TrackTable& tracks, std::vector<FlowEnd>& ends)
      : timeline_(timeline),
        tracks_(tracks),
        ends_(ends),
        correlation_(timeline.strings.find("correlation")) {}

  void bind() {
    sort_ends();
    sort_slices();
    std::size_t next = 0;
    RowId row = 0;
    for (std::uint32_t index : end_order_) {
      FlowEnd& end = ends_[index];
      if (end.row != row) open_.clear();
      row = end.row;
      while (next < slices_.size() && comes_before(slices_[next], end)) {
        if (row_of(slices_[next]) == row) open_.push_back(slices_[next]);
        ++next;
      }
      end.slice = innermost(end);
    }
  }

 private:
  [[nodiscard]] RowId row_of(SliceId slice) const { return tracks_.row_of(timeline_.track(slice)); }

  void sort_ends() {
    for (std::uint32_t index = 0; index < ends_.size(); ++index)
      if (ends_[index].slice == FlowEnd::unknown) end_order_.push_back(index);
    std::sort(end_order_.begin(), end_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(ends_[a].row, ends_[a].time, a) < std::tuple(ends_[b].row, ends_[b].time, b);
    });
  }

  void sort_slices() {
    if (end_order_.empty()) return;
    std::vector<bool> wanted(tracks_.row_count());
    for (std::uint32_t index : end_order_) wanted[ends_[index].row] = true;
    for (SliceId slice = 0; slice < timeline_.slice_count(); ++slice)
      if (wanted[row_of(slice)]) slices_.push_back(slice);
    std::sort(slices_.begin(), slices_.end(),
              [&](SliceId a, SliceId b) { return sort_key(a) < sort_key(b); });
  }
  [[nodiscard]] std::tuple<RowId, Nanoseconds, Nanoseconds, SliceId> sort_key(SliceId slice) const {
    return {row_of(slice), timeline_.start(slice), -timeline_.duration(slice), slice};
  }

  [[nodiscard]] bool comes_before(SliceId slice, const FlowEnd& end) const {
    const RowId row = row_of(slice);
    return row < end.row || (row == end.row && timeline_.start(slice) <= end.time);
  }
  [[nodiscard]] bool contains(SliceId slice, Nanoseconds time) const {
    return time < timeline_.end(slice) || time == timeline_.start(slice);
  }

  SliceId innermost(const FlowEnd& end) {
    while (!open_.empty() && !contains(open_.back(), end.time)) open_.pop_back();
    if (open_.empty()) return FlowEnd::unknown;
    for (std::size_t at = open_.size(); at-- > 0 && timeline_.start(open_[at]) == end.time;)
      if (correlation(open_[at]) == static_cast<std::int64_t>(end.id)) return open_[at];
    return open_.back();
  }

  [[nodiscard]] std::int64_t correlation(SliceId slice) const {
    if (!correlation_) return -1;
    const auto [begin, end] = timeline_.argument_range(slice);
    for (std::uint32_t index = begin; index < end; ++index) {
      const Argument& argument = timeline_.arguments()[index];
      if (argument.key != *correlation_) continue;
      const auto* number = std::get_if<std::int64_t>(&argument.value);
      return number == nullptr ? -1 : *number;
    }
    return -1;
  }

  const Timeline& timeline_;
  const TrackTable& tracks_;
  std::vector<FlowEnd>& ends_;
  std::optional<StringId> correlation_;
  std::vector<std::uint32_t> end_order_;
  std::vector<SliceId> slices_;
  std::vector<SliceId> open_;
};

// Pairs the n-th start of a (category, id) with its n-th end; steps make a chain. Calls `join` with indices.
template <class Join>
void pair_group(const std::vector<FlowEnd>& ends, const std::vector<std::uint32_t>& group, Join join) {
  const bool chain =
      std::any_of(group.begin(), group.end(), [&](std::uint32_t index) { return ends[index].phase == 't'; });
  if (chain) {
    for (std::size_t at = 0; at + 1 < group.size(); ++at)
      if (ends[group[at]].phase != 'f' && ends[group[at + 1]].phase != 's') join(group[at], group[at + 1]);
    return;
  }
  std::vector<std::uint32_t> starts, finishes;
  for (std::uint32_t index : group) (ends[index].phase == 's' ? starts : finishes).push_back(index);
  for (std::size_t at = 0; at < std::min(starts.size(), finishes.size()); ++at)
    join(starts[at], finishes[at]);
}

std::vector<std::uint32_t> grouped_order(const std::vector<FlowEnd>& ends) {
  std::vector<std::uint32_t> order(ends.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(ends[a].category, ends[a].id_is_text, ends[a].id, a) <
           std::tuple(ends[b].category, ends[b].id_is_text, ends[b].id, b);
  });
  return order;
}

bool same_group(const FlowEnd& a, const FlowEnd& b) {
  return a.category == b.category && a.id_is_text == b.id_is_text && a.id == b.id;
}

}  // namespace

std::uint64_t match_flows(Timeline& timeline, const TrackTable& tracks, std::vector<FlowEnd> ends,
                          FindingLog& findings) {
  Binder(timeline, tracks, ends).bind();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined;
  const auto join = [&](std::uint32_t from, std::uint32_t to) {
    if (ends[from].slice != FlowEnd::unknown && ends[to].slice != FlowEnd::unknown)
      joined.emplace_back(from, to);
  };
  const std::vector<std::uint32_t> order = grouped_order(ends);
  std::vector<std::uint32_t> group;
  for (std::size_t at = 0; at < order.size(); ++at) {
    group.push_back(order[at]);
    if (at + 1 < order.size() && same_group(ends[order[at]], ends[order[at + 1]])) continue;
    pair_group(ends, group, join);
    group.clear();
  }
  std::sort(joined.begin(), joined.end());
  std::vector<bool> used(ends.size());
  for (const auto& [from, to] : joined) {
    timeline.flows.push_back({ends[from].slice, ends[to].slice, ends[from].category});
    used[from] = used[to] = true;
  }
  std::uint64_t left_over = 0;
  for (std::size_t index = 0; index < ends.size(); ++index) {
    if (used[index]) continue;
    ++left_over;
    findings.add(Finding::flow_end, ends[index].offset);
  }
  return left_over;
}

}  // namespace paceline
