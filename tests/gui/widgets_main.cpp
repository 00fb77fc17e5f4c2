#include <gtest/gtest.h>

#include <QApplication>

#include "gui/views/theme.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  QApplication::setStyle("Fusion");
  QApplication::setFont(paceline::gui::interface_font());
  return RUN_ALL_TESTS();
}
