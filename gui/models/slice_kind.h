// What a slice is on the screen: its family, and for kernels of a prediction the phase of the step.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "traces/timeline.h"

namespace paceline::gui {

enum class SliceKind : std::uint8_t {
  forward,
  backward,
  optimizer,
  kernel,
  communication,
  copy,
  set,
  host,
  runtime,
  step,
  annotation,
  sync,
  other
};
constexpr std::size_t slice_kind_count = 13;
[[nodiscard]] std::string_view to_string(SliceKind kind);

// Of every slice.
[[nodiscard]] std::vector<SliceKind> slice_kinds(const Timeline& timeline);

}  // namespace paceline::gui
