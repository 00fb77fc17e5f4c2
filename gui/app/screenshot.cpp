#include "gui/app/screenshot.h"

#include <unistd.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QEventLoop>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/file.h"

namespace paceline::gui {
namespace fs = std::filesystem;

void check_screenshot_file(const std::string& file) {
  std::error_code status;
  const std::string remedy = "choose another place for the screenshot";
  if (fs::is_directory(file, status)) throw InputError(file, "a folder", "a file", remedy);
  const fs::path parent = fs::path(file).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!fs::is_directory(folder, status))
    throw InputError(file, "no folder " + folder, "a place that can be written to", remedy);
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(file, "a folder that may not be written to", "a place that can be written to", remedy);
}

void take_screenshot(MainWindow& window, const std::string& file, const QSize& size) {
  std::optional<Error> failure;
  QObject::connect(&window, &MainWindow::failed, &window, [&](const QString& message, ExitCode code) {
    failure = Error(message.toStdString(), code);
  });
  window.resize(size);
  window.show();
  QEventLoop loop;
  QObject::connect(&window, &MainWindow::settled, &loop, &QEventLoop::quit);
  if (window.is_busy()) loop.exec();
  if (failure) throw *failure;
  // Layouts and charts place themselves in events of their own.
  for (int round = 0; round < 5; ++round) QCoreApplication::processEvents();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!window.grab().save(&buffer, "PNG"))
    throw Error("the picture of the window cannot be encoded as PNG", ExitCode::other);
  write_file(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace paceline::gui
