// Keys, mouse and pixels of the timeline.
#include "gui/views/timeline_view.h"

#include <gtest/gtest.h>

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "tests/gui/sample_timeline.h"

namespace paceline::gui {
namespace {

class TimelineViewTest : public testing::Test {
 protected:
  void SetUp() override {
    view_.resize(1000, 320);
    view_.set_layout(std::make_shared<const TimelineLayout>(sample_timeline()));
    view_.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
  }

  QImage picture() { return view_.viewport()->grab().toImage(); }
  void press(Qt::Key key) { QTest::keyClick(&view_, key); }
  void click(const QPoint& position) {
    QTest::mouseClick(view_.viewport(), Qt::LeftButton, Qt::NoModifier, position);
  }
  void turn_wheel(const QPoint& position, int notches) {
    QWheelEvent event(position, view_.viewport()->mapToGlobal(position), QPoint(), QPoint(0, notches * 120),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view_.viewport(), &event);
  }
  // A point of the slice without text.
  QPoint inside(SliceId slice) { return view_.slice_rect(slice).bottomRight() - QPoint(4, 3); }

  TimelineView view_{"timeline"};
};

TEST_F(TimelineViewTest, ASliceHasItsColourInItsRow) {
  const QImage image = picture();
  EXPECT_EQ(image.pixelColor(inside(forward_slice)), color_of(SliceKind::forward));
  EXPECT_EQ(image.pixelColor(inside(backward_slice)), color_of(SliceKind::backward));
  EXPECT_EQ(image.pixelColor(inside(all_reduce_slice)), color_of(SliceKind::communication));
}

// Slices may be anywhere in time; whatever is zoomed, their colours stay in the time area and in their rows.
TEST_F(TimelineViewTest, NothingIsPaintedOutsideItsRowAndColumn) {
  for (const Qt::Key key : {Qt::Key_0, Qt::Key_W, Qt::Key_W, Qt::Key_D, Qt::Key_D, Qt::Key_D}) {
    press(key);
    view_.select(forward_slice);
    const QImage image = picture();
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y) != color_of(SliceKind::backward)) continue;
        ASSERT_GE(x, TimelineGeometry::label_width);
        ASSERT_TRUE(view_.slice_rect(backward_slice).adjusted(-1, 0, 1, 0).contains(x, y)) << x << " " << y;
      }
    }
  }
}

TEST_F(TimelineViewTest, RowsOutOfSightDoNotReachTheRuler) {
  view_.resize(1000, 120);
  view_.verticalScrollBar()->setValue(view_.verticalScrollBar()->maximum());
  const QImage image = picture();
  const QColor ruler = theme_of(ThemeKind::light).window;
  for (int x = 0; x < TimelineGeometry::label_width; ++x) EXPECT_EQ(image.pixelColor(x, 2), ruler);
  for (const SliceKind kind : {SliceKind::forward, SliceKind::step, SliceKind::runtime})
    for (int x = 0; x < image.width(); ++x) EXPECT_NE(image.pixelColor(x, 12), color_of(kind));
}

TEST_F(TimelineViewTest, KeysZoomPanAndFit) {
  const TimeScale all = view_.scale();
  press(Qt::Key_W);
  EXPECT_LT(view_.scale().per_pixel, all.per_pixel);
  press(Qt::Key_S);
  EXPECT_NEAR(view_.scale().per_pixel, all.per_pixel, 1e-6);
  press(Qt::Key_D);
  EXPECT_GT(view_.scale().origin, all.origin);
  press(Qt::Key_Left);
  EXPECT_NEAR(view_.scale().origin, all.origin, 1);
  press(Qt::Key_W);
  press(Qt::Key_A);
  press(Qt::Key_Home);
  EXPECT_DOUBLE_EQ(view_.scale().per_pixel, all.per_pixel);
  EXPECT_DOUBLE_EQ(view_.scale().origin, all.origin);
}

TEST_F(TimelineViewTest, TheWheelZoomsAtThePointer) {
  const QPoint position(600, 100);
  const double x = position.x() - TimelineGeometry::label_width;
  const double time = view_.scale().time(x);
  turn_wheel(position, 3);
  EXPECT_LT(view_.scale().per_pixel, 1000);
  EXPECT_NEAR(view_.scale().time(x), time, 1);
}

TEST_F(TimelineViewTest, AClickSelectsAndFFrames) {
  const QSignalSpy selections(&view_, &TimelineView::selection_changed);
  click(inside(all_reduce_slice));
  ASSERT_EQ(view_.selected(), SliceId{all_reduce_slice});
  EXPECT_EQ(selections.count(), 1);
  press(Qt::Key_F);
  // A quarter of the slice on both sides: it takes two thirds of the width.
  EXPECT_NEAR(view_.slice_rect(all_reduce_slice).width(), 810 / 1.5, 30);
  press(Qt::Key_Escape);
  EXPECT_EQ(view_.selected(), std::nullopt);
}

TEST_F(TimelineViewTest, AClickOnALabelSelectsNothing) {
  click({50, view_.slice_rect(forward_slice).center().y()});
  EXPECT_EQ(view_.selected(), std::nullopt);
}

TEST_F(TimelineViewTest, DraggingMovesTheTimeWithThePointer) {
  const double time = view_.scale().time(300);
  const QPoint from(TimelineGeometry::label_width + 300, 100);
  QTest::mousePress(view_.viewport(), Qt::LeftButton, Qt::NoModifier, from);
  QTest::mouseMove(view_.viewport(), from + QPoint(-60, 0));
  QTest::mouseMove(view_.viewport(), from + QPoint(-100, 0));
  QTest::mouseRelease(view_.viewport(), Qt::LeftButton, Qt::NoModifier, from + QPoint(-100, 0));
  EXPECT_NEAR(view_.scale().time(200), time, 1);
  EXPECT_EQ(view_.selected(), std::nullopt);
}

TEST_F(TimelineViewTest, ANewTimelineKeepsASectionChosenByHand) {
  press(Qt::Key_W);
  const TimeScale chosen = view_.scale();
  view_.set_layout(std::make_shared<const TimelineLayout>(sample_timeline()));
  EXPECT_DOUBLE_EQ(view_.scale().per_pixel, chosen.per_pixel);
  press(Qt::Key_0);
  view_.set_layout(std::make_shared<const TimelineLayout>(dense_timeline(100)));
  EXPECT_LT(view_.scale().per_pixel, 10);  // 1 µs in 810 pixels
}

TEST_F(TimelineViewTest, TheSelectionsFlowsAreDrawn) {
  const QImage before = picture();
  view_.select(launch_slice);
  const QImage after = picture();
  // Between the host's rows and the kernels' rows lies nothing but grid and flow.
  const int y = (view_.slice_rect(launch_slice).bottom() + view_.slice_rect(forward_slice).top()) / 2;
  int changed = 0;
  for (int x = TimelineGeometry::label_width; x < after.width(); ++x)
    changed += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
  EXPECT_GT(changed, 0);
}

TEST(EmptyTimelineView, SaysSo) {
  TimelineView view("empty");
  view.resize(400, 200);
  EXPECT_FALSE(view.grab().isNull());
  QTest::keyClick(&view, Qt::Key_W);
  QTest::keyClick(&view, Qt::Key_F);
  EXPECT_EQ(view.selected(), std::nullopt);
}

}  // namespace
}  // namespace paceline::gui
