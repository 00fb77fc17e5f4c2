// paceline-gui: what-if dashboard and timeline viewer.
#include <fmt/format.h>

#include <QApplication>
#include <cstdio>

#include "base/error.h"
#include "gui/app/options.h"
#include "gui/app/screenshot.h"
#include "gui/views/main_window.h"

namespace paceline::gui {
namespace {

QStringList arguments_of(int argc, char** argv) {
  QStringList arguments;
  for (int index = 0; index < argc; ++index) arguments << QString::fromLocal8Bit(argv[index]);
  return arguments;
}

// Qt ends the program by itself if there is no display, so this looks first.
void choose_platform(const Options& options) {
  if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) return;
  if (!options.screenshot.empty()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return;
  }
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
    throw DeviceError("display", "neither DISPLAY nor WAYLAND_DISPLAY is set",
                      "start it in a graphical session, or write a picture with --screenshot FILE");
}

// A picture is asked for by scripts: Qt's remarks on the platform would be noise there.
void keep_errors_only(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg)
    fmt::print(stderr, "paceline-gui: {}\n", message.toStdString());
}

int run(int argc, char** argv) {
  const Options options = parse_options(arguments_of(argc, argv));
  if (!options.text.empty()) {
    fmt::print("{}", options.text);
    return 0;
  }
  if (!options.screenshot.empty()) check_screenshot_file(options.screenshot);
  const Catalog catalog = Catalog::load(find_data_folder(options.data));
  choose_platform(options);
  if (!options.screenshot.empty()) qInstallMessageHandler(keep_errors_only);
  QApplication application(argc, argv);
  QApplication::setApplicationName("paceline-gui");
  QApplication::setStyle("Fusion");
  QApplication::setFont(interface_font());
  MainWindow window(catalog);
  window.set_theme(options.theme);
  if (!options.file.empty()) window.open(options.file);
  if (!options.screenshot.empty()) {
    take_screenshot(window, options.screenshot, options.size);
    return 0;
  }
  window.show();
  return QApplication::exec();
}

}  // namespace
}  // namespace paceline::gui

int main(int argc, char** argv) {
  try {
    return paceline::gui::run(argc, argv);
  } catch (const paceline::Error& error) {
    fmt::print(stderr, "paceline-gui: {}\n", error.what());
    return static_cast<int>(error.exit_code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "paceline-gui: {}\n", error.what());
    return static_cast<int>(paceline::ExitCode::other);
  }
}
