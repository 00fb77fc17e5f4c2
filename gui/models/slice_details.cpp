#include "gui/models/slice_details.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

#include "base/quantity.h"

namespace paceline::gui {
namespace {

constexpr std::size_t most_links = 12;

std::string text_of(Nanoseconds time) { return to_string(Seconds(static_cast<double>(time) * 1e-9)); }

std::string text_of(const Timeline& timeline, const Argument& argument) {
  return std::visit(
      [&](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, StringId>) return timeline.strings[value];
        return fmt::format("{}", value);
      },
      argument.value);
}

const LaidTrack* laid_track(const TimelineLayout& layout, TrackId track) {
  for (const LaidTrack& laid : layout.tracks())
    if (laid.track == track) return &laid;
  return nullptr;
}

// "rank 0 · GPU 0 · compute stream"
std::string place_of(const TimelineLayout& layout, TrackId track) {
  const LaidTrack* laid = laid_track(layout, track);
  if (!laid) return "";
  const auto index = static_cast<std::size_t>(laid - layout.tracks().data());
  for (const TrackGroup& group : layout.groups())
    if (index >= group.first_track && index < group.first_track + group.track_count)
      return group.title + " · " + laid->title;
  return laid->title;
}

}  // namespace

std::vector<Detail> slice_details(const TimelineLayout& layout, SliceId slice) {
  const Timeline& timeline = layout.timeline();
  std::vector<Detail> details{{"name", timeline.name_text(slice)},
                              {"kind", std::string(to_string(layout.kind_of(slice)))},
                              {"on", place_of(layout, timeline.track(slice))},
                              {"start", text_of(timeline.start(slice))},
                              {"duration", text_of(timeline.duration(slice))}};
  const auto [begin, end] = timeline.argument_range(slice);
  for (std::uint32_t index = begin; index < end; ++index) {
    const Argument& argument = timeline.arguments()[index];
    details.push_back({timeline.strings[argument.key], text_of(timeline, argument)});
  }
  for (const Flow& flow : flows_of(timeline, slice, most_links)) {
    const bool is_out = flow.from == slice;
    const SliceId other = is_out ? flow.to : flow.from;
    details.push_back({is_out ? "leads to" : "follows",
                       timeline.name_text(other) + " at " + text_of(timeline.start(other))});
  }
  return details;
}

std::vector<Flow> flows_of(const Timeline& timeline, SliceId slice, std::size_t most) {
  std::vector<Flow> found;
  for (const Flow& flow : timeline.flows) {
    if (flow.from != slice && flow.to != slice) continue;
    found.push_back(flow);
    if (found.size() == most) break;
  }
  return found;
}

}  // namespace paceline::gui
