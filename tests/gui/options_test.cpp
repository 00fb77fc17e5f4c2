#include "gui/app/options.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace paceline::gui {
namespace {

Options parse(const QStringList& arguments) { return parse_options(QStringList("paceline-gui") + arguments); }

TEST(Options, ReadAFileAndAScreenshot) {
  const Options options = parse({"trace.json", "--screenshot", "a.png", "--size", "800x600"});
  EXPECT_EQ(options.file, "trace.json");
  EXPECT_EQ(options.screenshot, "a.png");
  EXPECT_EQ(options.size, QSize(800, 600));
}

TEST(Options, VersionNamesQt) { EXPECT_NE(parse({"--version"}).text.find("Qt 6"), std::string::npos); }

TEST(Options, RefuseWhatTheyDoNotKnow) {
  for (const QStringList& wrong : {QStringList{"--siz", "800x600"},
                                   {"--size", "800"},
                                   {"--size", "0x600"},
                                   {"--theme", "blue"},
                                   {"a.json", "b.json"},
                                   {"--screenshot", ""}})
    EXPECT_THROW(static_cast<void>(parse(wrong)), InputError) << wrong.join(' ').toStdString();
}

}  // namespace
}  // namespace paceline::gui
