// The window as a whole: controls change the answer, charts show it, files open, errors are shown.
#include <gmock/gmock.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "gui/views/choice_spin.h"
#include "gui/views/main_window.h"
#include "tests/gui/sample_timeline.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline::gui {
namespace {

constexpr int patience = 60'000;

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    window_.show();
    settle();
  }

  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window_.is_busy(); }, patience));
  }
  template <class Widget>
  Widget& find(const char* name) {
    auto* widget = window_.findChild<Widget*>(name);
    if (!widget) throw std::runtime_error(std::string("no widget ") + name);
    return *widget;
  }
  std::string text(const char* name) { return find<QLabel>(name).text().toStdString(); }
  void set_devices(int devices) {
    find<QSpinBox>("devices").setValue(devices);
    settle();
  }
  QString write(const QString& name, const std::string& content) {
    QFile file(folder_.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content.data(), static_cast<qint64>(content.size()));
    return file.fileName();
  }

  const Catalog catalog_ = Catalog::load(PACELINE_SOURCE_DIR "/scenarios");
  MainWindow window_{catalog_};
  QTemporaryDir folder_;
};

bool has_color(const QImage& image, const QColor& color) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y) == color) return true;
  return false;
}

TEST_F(WindowTest, StartsWithAnAnswer) {
  EXPECT_THAT(text("step_value"), testing::HasSubstr("ms"));
  EXPECT_THAT(text("notes"), testing::HasSubstr("modelled"));
  EXPECT_FALSE(find<QWidget>("message_bar").isVisible());
}

TEST_F(WindowTest, MoreDevicesChangeTheHeadline) {
  const std::string before = text("throughput_value");
  set_devices(32);
  EXPECT_NE(text("throughput_value"), before);
  EXPECT_THAT(text("throughput_detail"), testing::HasSubstr("256"));  // 32 devices of 8
}

TEST_F(WindowTest, ArrowsOfTheSpinBoxAndSliderGoThroughPowersOfTwo) {
  auto& devices = find<QSpinBox>("devices");
  ASSERT_EQ(devices.value(), 16);
  devices.stepUp();
  EXPECT_EQ(devices.value(), 32);
  devices.stepBy(-2);
  EXPECT_EQ(devices.value(), 8);
  find<QSlider>("devices_slider").setValue(1);
  EXPECT_EQ(devices.value(), 2);
  EXPECT_EQ(window_.scenario_model().scenario().devices, 2);
}

TEST_F(WindowTest, OneGpuHasNoSpeedupAndNoBuckets) {
  find<QComboBox>("strategy").setCurrentIndex(0);
  settle();
  EXPECT_EQ(text("speedup_value"), "1.00 ×");
  EXPECT_FALSE(find<QSpinBox>("devices").isEnabled());
  EXPECT_FALSE(find<QSpinBox>("bucket").isEnabled());
}

TEST_F(WindowTest, OutOfMemoryIsRedAndSaysByHowMuch) {
  find<QSpinBox>("batch").setValue(4096);
  settle();
  EXPECT_THAT(text("memory_detail"), testing::AllOf(testing::HasSubstr("OOM"), testing::HasSubstr("iB")));
  EXPECT_EQ(find<QLabel>("memory_value").palette().color(QPalette::WindowText),
            theme_of(ThemeKind::light).bad);
}

TEST_F(WindowTest, WhatCannotBeIsSaidInTheMessageBar) {
  find<QSpinBox>("devices").setValue(12);
  settle();
  EXPECT_TRUE(find<QWidget>("message_bar").isVisible());
  EXPECT_THAT(text("message"), testing::HasSubstr("12"));
  set_devices(16);
  EXPECT_FALSE(find<QWidget>("message_bar").isVisible());
}

TEST_F(WindowTest, ChartsHaveTheColoursOfTheirSeries) {
  const auto picture = [this](const char* name) { return find<QWidget>(name).grab().toImage(); };
  EXPECT_TRUE(has_color(picture("speedup_chart"), color_of(StrategyKind::distributed_data_parallel)));
  EXPECT_TRUE(has_color(picture("speedup_chart"), color_of(StrategyKind::data_parallel)));
  EXPECT_TRUE(has_color(picture("breakdown_chart"), color_of(StepPart::compute)));
  EXPECT_TRUE(has_color(picture("memory_chart"), color_of(MemoryCause::activations)));
  EXPECT_TRUE(has_color(picture("memory_chart"), theme_of(ThemeKind::light).bad));
}

TEST_F(WindowTest, ATraceOpensOnAPageOfItsOwn) {
  window_.open_or_say_why(write("trace.json", to_chrome_json(*sample_timeline())));
  settle();
  EXPECT_THAT(text("trace_line"), testing::HasSubstr("5 slices"));
  auto& view = find<TimelineView>("trace_timeline");
  ASSERT_TRUE(view.timeline_layout());
  EXPECT_TRUE(view.isVisible());
  EXPECT_FALSE(find<QWidget>("scenario_dock").isVisible());
}

TEST_F(WindowTest, AScenarioFileSetsTheControls) {
  Scenario scenario = default_scenario();
  scenario.model = "resnet50";
  scenario.input = {};
  scenario.devices = 8;
  window_.open_or_say_why(write("scenario.json", to_json(scenario)));
  settle();
  EXPECT_EQ(find<QComboBox>("model").currentData().toString(), "resnet50");
  EXPECT_EQ(find<QSpinBox>("devices").value(), 8);
  EXPECT_FALSE(find<QSpinBox>("sequence").isEnabled());
}

TEST_F(WindowTest, ABadFileIsNamedInTheMessageBar) {
  window_.open_or_say_why(write("broken.json", "{\"format\": \"paceline/scenario-1\", \"modle\": 1}"));
  EXPECT_THAT(text("message"), testing::HasSubstr("broken.json"));
  window_.open_or_say_why("no-such-file.json");
  EXPECT_THAT(text("message"), testing::HasSubstr("no-such-file.json"));
}

TEST_F(WindowTest, QuestionMarkShowsTheKeys) {
  QTest::keyClick(&window_, Qt::Key_Question);
  EXPECT_TRUE(find<QWidget>("key_help").isVisible());
  QTest::keyClick(&find<QWidget>("key_help"), Qt::Key_Escape);
  EXPECT_FALSE(find<QWidget>("key_help").isVisible());
}

TEST_F(WindowTest, DarkIsDark) {
  window_.set_theme(ThemeKind::dark);
  QTest::qWait(50);
  const QImage image = window_.grab().toImage();
  EXPECT_LT(image.pixelColor(image.width() / 2, image.height() - 3).lightness(), 90);
}

TEST_F(WindowTest, EveryWidgetOfOursHasAName) {
  const QList<QWidget*> widgets = window_.findChildren<QWidget*>();
  for (const QWidget* widget : widgets) {
    const QString type = widget->metaObject()->className();
    if (!type.startsWith("paceline::")) continue;
    EXPECT_FALSE(widget->objectName().isEmpty()) << type.toStdString();
  }
}

}  // namespace
}  // namespace paceline::gui
