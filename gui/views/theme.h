// Colours: the light and the dark palette, and what stands for what in charts and timelines.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include "gui/models/slice_kind.h"
#include "sim/plan/program.h"
#include "sim/strategy/strategy.h"

namespace paceline::gui {

enum class ThemeKind { light, dark };

struct Theme {
  ThemeKind kind = ThemeKind::light;
  QColor window, base, alternate, text, muted, line, accent, bad, bad_background;
};
[[nodiscard]] Theme theme_of(ThemeKind kind);
[[nodiscard]] QPalette palette_of(const Theme& theme);

// The same in both themes: they are told apart on light and on dark.
[[nodiscard]] QColor color_of(SliceKind kind);
[[nodiscard]] QColor color_of(MemoryCause cause);
[[nodiscard]] QColor color_of(StrategyKind kind);
[[nodiscard]] QColor text_color_on(const QColor& background);

// Parts of the step in the breakdown chart.
enum class StepPart { compute, exposed_communication, optimizer, idle };
[[nodiscard]] QColor color_of(StepPart part);

[[nodiscard]] QFont interface_font();

}  // namespace paceline::gui
