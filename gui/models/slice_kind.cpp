#include "gui/models/slice_kind.h"

#include <optional>

namespace paceline::gui {
namespace {

SliceKind kind_of(Family family) {
  switch (family) {
    case Family::kernel:
      return SliceKind::kernel;
    case Family::communication:
      return SliceKind::communication;
    case Family::copy:
      return SliceKind::copy;
    case Family::set:
      return SliceKind::set;
    case Family::host:
      return SliceKind::host;
    case Family::runtime:
      return SliceKind::runtime;
    case Family::step:
      return SliceKind::step;
    case Family::annotation:
      return SliceKind::annotation;
    case Family::sync:
      return SliceKind::sync;
    case Family::other:
      break;
  }
  return SliceKind::other;
}

struct Phases {
  std::optional<StringId> key, forward, backward, optimizer;
};

SliceKind kernel_kind(const Timeline& timeline, SliceId slice, const Phases& phases) {
  const auto [begin, end] = timeline.argument_range(slice);
  for (std::uint32_t index = begin; index < end; ++index) {
    const Argument& argument = timeline.arguments()[index];
    const StringId* phase = std::get_if<StringId>(&argument.value);
    if (argument.key != phases.key || !phase) continue;
    if (phases.forward == *phase) return SliceKind::forward;
    if (phases.backward == *phase) return SliceKind::backward;
    if (phases.optimizer == *phase) return SliceKind::optimizer;
  }
  return SliceKind::kernel;
}

}  // namespace

std::string_view to_string(SliceKind kind) {
  static constexpr std::array<std::string_view, slice_kind_count> names{
      "forward", "backward",     "optimizer", "kernel",     "communication", "memory copy", "memory set",
      "host",    "runtime call", "step",      "annotation", "waiting",       "other"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<SliceKind> slice_kinds(const Timeline& timeline) {
  const StringPool& strings = timeline.strings;
  const Phases phases{strings.find("phase"), strings.find("forward"), strings.find("backward"),
                      strings.find("optimizer")};
  std::vector<SliceKind> kinds(timeline.slice_count());
  for (SliceId slice = 0; slice < kinds.size(); ++slice) {
    kinds[slice] = kind_of(timeline.family(slice));
    if (kinds[slice] == SliceKind::kernel && phases.key) kinds[slice] = kernel_kind(timeline, slice, phases);
  }
  return kinds;
}

}  // namespace paceline::gui
