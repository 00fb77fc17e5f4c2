#include "gui/app/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include "base/error.h"

namespace paceline::gui {
namespace {

QSize parse_size(const QString& text) {
  static const QRegularExpression pattern("^([0-9]{1,5})x([0-9]{1,5})$");
  const QRegularExpressionMatch match = pattern.match(text);
  const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
  if (!match.hasMatch() || size.width() < 200 || size.height() < 200 || size.width() > 8192 ||
      size.height() > 8192) {
    throw InputError("--size", "\"" + text.toStdString() + "\"", "WIDTHxHEIGHT, each 200 to 8192",
                     "for instance 1400x900");
  }
  return size;
}

ThemeKind parse_theme(const QString& text) {
  if (text == "light") return ThemeKind::light;
  if (text == "dark") return ThemeKind::dark;
  throw InputError("--theme", "\"" + text.toStdString() + "\"", "light or dark", "choose one of them");
}

}  // namespace

Options parse_options(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription("What-if dashboard and timeline viewer for training on many GPUs.");
  const QCommandLineOption help({"h", "help"}, "Prints this.");
  const QCommandLineOption version("version", "Prints the version.");
  const QCommandLineOption data("data", "Folder of devices, clusters and models.", "DIR");
  const QCommandLineOption screenshot("screenshot", "Writes the computed window as PNG; needs no display.",
                                      "FILE");
  const QCommandLineOption size("size", "Of the screenshot, 1400x900 if not given.", "WxH", "1400x900");
  const QCommandLineOption theme("theme", "light or dark.", "THEME", "light");
  parser.addOptions({help, version, data, screenshot, size, theme});
  parser.addPositionalArgument("file", "A scenario (JSON) or a trace (JSON, also gzip).", "[file]");
  if (!parser.parse(arguments))
    throw InputError("command line", parser.errorText().toStdString(), "the options that --help lists",
                     "see paceline-gui --help");
  Options options;
  if (parser.isSet(help)) options.text = parser.helpText().toStdString();
  if (parser.isSet(version))
    options.text = std::string("paceline-gui " PACELINE_VERSION " (Qt ") + qVersion() + ")\n";
  const QStringList files = parser.positionalArguments();
  if (files.size() > 1)
    throw InputError("command line", std::to_string(files.size()) + " files", "at most one",
                     "open the others in the window");
  if (!files.isEmpty()) options.file = files.front().toStdString();
  options.data = parser.value(data).toStdString();
  options.screenshot = parser.value(screenshot).toStdString();
  if (parser.isSet(screenshot) && options.screenshot.empty())
    throw InputError("--screenshot", "an empty name", "a file to write", "name a PNG file");
  options.size = parse_size(parser.value(size));
  options.theme = parse_theme(parser.value(theme));
  return options;
}

}  // namespace paceline::gui
