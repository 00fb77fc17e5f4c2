#include "gui/views/theme.h"

#include <QStringList>
#include <array>

namespace paceline::gui {
namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

}  // namespace

Theme theme_of(ThemeKind kind) {
  if (kind == ThemeKind::dark) {
    return {.kind = kind,
            .window = rgb(0x1e2228),
            .base = rgb(0x262b33),
            .alternate = rgb(0x2d333c),
            .text = rgb(0xe4e8ee),
            .muted = rgb(0x9aa4b2),
            .line = rgb(0x3c444f),
            .accent = rgb(0x4c8dd6),
            .bad = rgb(0xff7b72),
            .bad_background = rgb(0x4a2527)};
  }
  return {.kind = kind,
          .window = rgb(0xf3f5f8),
          .base = rgb(0xffffff),
          .alternate = rgb(0xf5f7fa),
          .text = rgb(0x1d2530),
          .muted = rgb(0x667085),
          .line = rgb(0xd9dee6),
          .accent = rgb(0x2f6fbd),
          .bad = rgb(0xc0271d),
          .bad_background = rgb(0xfdeceb)};
}

QPalette palette_of(const Theme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.base);
  palette.setColor(QPalette::AlternateBase, theme.alternate);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::Button, theme.window);
  palette.setColor(QPalette::ButtonText, theme.text);
  palette.setColor(QPalette::ToolTipBase, theme.base);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.muted);
  palette.setColor(QPalette::Mid, theme.line);
  palette.setColor(QPalette::Highlight, theme.accent);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, theme.accent);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.muted);
  return palette;
}

QColor color_of(SliceKind kind) {
  static constexpr std::array<unsigned, slice_kind_count> colors{
      0x4e79a7, 0x2a9d8f, 0x8c6bb1, 0x4e79a7, 0xf28e2b, 0xd4a72c, 0xb8a07e,
      0x8a97a8, 0xa9967e, 0xb9c7d8, 0xa9b8cf, 0xc96a6a, 0xa39a94};
  return rgb(colors[static_cast<std::size_t>(kind)]);
}

QColor color_of(MemoryCause cause) {
  // parameters, gradients, optimizer, activations, buckets, outputs, buffers, input, context, workspace,
  // allocator
  static constexpr std::array<unsigned, memory_cause_count> colors{0x4e79a7, 0x2a9d8f, 0x8c6bb1, 0xe0ac2b,
                                                                   0xf28e2b, 0xd37295, 0x86bcb6, 0xb6992d,
                                                                   0x79828f, 0xa8927a, 0xc4bcb4};
  return rgb(colors[static_cast<std::size_t>(cause)]);
}

QColor color_of(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::single:
      return rgb(0x79828f);
    case StrategyKind::data_parallel:
      return rgb(0xf28e2b);
    case StrategyKind::horovod:
      return rgb(0x59a14f);
    case StrategyKind::mirrored:
      return rgb(0xb07aa1);
    case StrategyKind::parameter_server:
      return rgb(0xe15759);
    case StrategyKind::zero:
      return rgb(0x2a9d8f);
    case StrategyKind::fully_sharded:
      return rgb(0x8c6bb1);
    case StrategyKind::distributed_data_parallel:
      break;
  }
  return rgb(0x2f6fbd);
}

QColor color_of(StepPart part) {
  switch (part) {
    case StepPart::compute:
      return color_of(SliceKind::forward);
    case StepPart::exposed_communication:
      return color_of(SliceKind::communication);
    case StepPart::optimizer:
      return color_of(SliceKind::optimizer);
    case StepPart::idle:
      break;
  }
  return rgb(0xb4bcc8);
}

QColor text_color_on(const QColor& background) {
  return background.lightnessF() > 0.6F ? rgb(0x1d2530) : QColor(Qt::white);
}

QFont interface_font() {
  QFont font;
  font.setFamilies({"Noto Sans", "DejaVu Sans"});
  font.setPointSize(9);
  return font;
}

}  // namespace paceline::gui
