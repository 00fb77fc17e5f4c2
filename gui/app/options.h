// The command line of paceline-gui.
#pragma once

#include <QSize>
#include <QStringList>
#include <string>

#include "gui/views/theme.h"

namespace paceline::gui {

struct Options {
  std::string file;        // scenario or trace; empty: the default scenario
  std::string data;        // scenarios folder; empty: where it usually is
  std::string screenshot;  // PNG to write instead of showing a window
  QSize size{1400, 900};
  ThemeKind theme = ThemeKind::light;
  std::string text;  // help or version, to be printed instead of anything else
};

// Throws InputError naming the argument.
[[nodiscard]] Options parse_options(const QStringList& arguments);

}  // namespace paceline::gui
