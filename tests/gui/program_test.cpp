// paceline-gui as users start it.
#include <gmock/gmock.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>

#include "sim/study/scenario.h"
#include "tests/gui/sample_timeline.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline::gui {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string output, error;
};

class ProgramTest : public testing::Test {
 protected:
  // Without a display and without a choice of platform, as on a server.
  static Outcome start(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
      environment.remove(variable);
    process.setProcessEnvironment(environment);
    process.start(PACELINE_GUI, arguments);
    EXPECT_TRUE(process.waitForFinished(120'000));
    return {process.exitCode(), process.readAllStandardOutput().toStdString(),
            process.readAllStandardError().toStdString()};
  }
  QString write(const QString& name, const std::string& content) {
    QFile file(folder_.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content.data(), static_cast<qint64>(content.size()));
    return file.fileName();
  }
  // Exit code 2 and one line.
  static void expect_bad_input(const Outcome& outcome, const std::string& word) {
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.error, testing::StartsWith("paceline-gui: "));
    EXPECT_THAT(outcome.error, testing::HasSubstr(word));
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  }

  QTemporaryDir folder_;
  QString picture_ = folder_.filePath("window.png");
};

TEST_F(ProgramTest, WritesAPictureOfTheScenario) {
  const Outcome outcome =
      start({write("scenario.json", to_json(Scenario{})), "--screenshot", picture_, "--size", "1200x800"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(QImage(picture_).size(), QSize(1200, 800));
}

TEST_F(ProgramTest, WritesAPictureOfATrace) {
  const Outcome outcome =
      start({write("trace.json", to_chrome_json(*sample_timeline())), "--screenshot", picture_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(QImage(picture_).size(), QSize(1400, 900));
}

TEST_F(ProgramTest, PicturesOfTheSameScenarioAreTheSame) {
  const QString second = folder_.filePath("second.png");
  EXPECT_EQ(start({"--screenshot", picture_}).exit_code, 0);
  EXPECT_EQ(start({"--screenshot", second}).exit_code, 0);
  EXPECT_EQ(QImage(picture_), QImage(second));
}

TEST_F(ProgramTest, SaysItsVersion) {
  const Outcome outcome = start({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.output, testing::StartsWith("paceline-gui "));
}

TEST_F(ProgramTest, RefusesBadFiles) {
  expect_bad_input(start({folder_.filePath("absent.json"), "--screenshot", picture_}), "absent.json");
  expect_bad_input(start({write("bad.json", "{\"format\": \"paceline/scenario-1\", \"modle\": \"resnet50\"}"),
                          "--screenshot", picture_}),
                   "modle");
  expect_bad_input(start({write("words.json", "words"), "--screenshot", picture_}), "words.json");
  EXPECT_FALSE(QFile::exists(picture_));
}

TEST_F(ProgramTest, RefusesScenariosThatCannotBe) {
  Scenario scenario;
  scenario.strategy.kind = StrategyKind::distributed_data_parallel;
  scenario.devices = 12;  // nodes of 8
  expect_bad_input(start({write("twelve.json", to_json(scenario)), "--screenshot", picture_}), "12");
}

TEST_F(ProgramTest, RefusesPlacesThatCannotBeWrittenTo) {
  expect_bad_input(start({"--screenshot", folder_.filePath("absent/window.png")}), "absent");
  expect_bad_input(start({"--screenshot", folder_.path()}), "a folder");
}

TEST_F(ProgramTest, RefusesBadArguments) {
  expect_bad_input(start({"--screen", picture_}), "screen");
  expect_bad_input(start({"--data", folder_.filePath("absent"), "--screenshot", picture_}), "--data");
}

TEST_F(ProgramTest, SaysThatADisplayIsMissing) {
  const Outcome outcome = start({});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error, testing::HasSubstr("--screenshot"));
}

}  // namespace
}  // namespace paceline::gui
