#include "gui/models/trace_opener.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/models/scenario_file.h"
#include "gui/models/trace_summary.h"
#include "sim/study/scenario.h"
#include "tests/gui/sample_timeline.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline::gui {
namespace {

constexpr int patience = 60'000;

class TraceOpenerTest : public testing::Test {
 protected:
  std::string write(const QString& name, const std::string& content) {
    QFile file(folder_.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content.data(), static_cast<qint64>(content.size()));
    return file.fileName().toStdString();
  }

  void open(const std::string& file) {
    QObject::connect(&opener_, &TraceOpener::opened, &opener_,
                     [this](const std::shared_ptr<const OpenedTrace>& trace) { trace_ = trace; });
    QObject::connect(&opener_, &TraceOpener::failed, &opener_,
                     [this](const QString& message, ExitCode) { error_ = message.toStdString(); });
    opener_.open(file);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !opener_.is_busy(); }, patience));
  }

  QTemporaryDir folder_;
  TraceOpener opener_;
  std::shared_ptr<const OpenedTrace> trace_;
  std::string error_;
};

TEST_F(TraceOpenerTest, ReadsAndAnalysesATrace) {
  open(write("trace.json", to_chrome_json(*sample_timeline())));
  ASSERT_TRUE(trace_) << error_;
  EXPECT_EQ(trace_->layout->timeline().slice_count(), 5u);
  const Table ranks = rank_table(trace_->analysis);
  ASSERT_EQ(ranks.rows.size(), 1u);
  // 600 to 900 µs are under the backward kernel: all of the communication is hidden.
  EXPECT_THAT(ranks.rows[0], testing::ElementsAre("0", "1", "1 ms", "3", "1 ms", "100.0 %", "1 ms", "300 µs",
                                                  "0 s", "100.0 %"));
  EXPECT_THAT(trace_line(*trace_), testing::HasSubstr("5 slices on 3 tracks"));
}

TEST_F(TraceOpenerTest, ListsTheCostliestNamesFirst) {
  open(write("trace.json", to_chrome_json(*sample_timeline())));
  ASSERT_TRUE(trace_) << error_;
  const Table names = name_table(trace_->analysis, 2);
  ASSERT_EQ(names.rows.size(), 2u);
  EXPECT_EQ(names.rows[0][0], "conv backward");  // 600 µs; the step is no work
  EXPECT_EQ(names.rows[1][0], "conv forward");
}

TEST_F(TraceOpenerTest, SaysWhyAFileIsNoTrace) {
  const std::string file = write("words.json", "these are words");
  open(file);
  EXPECT_FALSE(trace_);
  EXPECT_THAT(error_, testing::HasSubstr("words.json"));
}

TEST_F(TraceOpenerTest, TellsScenariosFromTraces) {
  EXPECT_TRUE(is_scenario_file(write("scenario.json", to_json(Scenario{}))));
  EXPECT_FALSE(is_scenario_file(write("trace.json", to_chrome_json(*sample_timeline()))));
  EXPECT_THROW(static_cast<void>(is_scenario_file("no such file.json")), InputError);
}

}  // namespace
}  // namespace paceline::gui
