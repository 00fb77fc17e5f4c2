// A picture of the window, with everything computed.
#pragma once

#include <QSize>
#include <string>

#include "gui/views/main_window.h"

namespace paceline::gui {

// Throws InputError if the file cannot be written to; worth asking before computing.
void check_screenshot_file(const std::string& file);

// Waits until the window has settled, then writes it as PNG. Throws what the computation failed with.
void take_screenshot(MainWindow& window, const std::string& file, const QSize& size);

}  // namespace paceline::gui
