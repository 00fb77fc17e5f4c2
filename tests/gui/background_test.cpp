// Work in the background: the newest request wins, answers arrive on the object's thread, errors as messages.
#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <vector>

#include "gui/models/curve_model.h"
#include "gui/models/headline.h"
#include "gui/models/prediction_runner.h"
#include "gui/models/scenario_model.h"

namespace paceline::gui {
namespace {

constexpr int patience = 60'000;  // milliseconds, for a machine under load

const Catalog& catalog() {
  static const Catalog loaded = Catalog::load(PACELINE_SOURCE_DIR "/scenarios");
  return loaded;
}

TEST(PredictionRunner, EstimatesThenPredicts) {
  PredictionRunner runner(catalog());
  std::vector<std::string> order;
  QObject::connect(&runner, &PredictionRunner::estimated, [&](Seconds step) {
    EXPECT_GT(step, Seconds(0));
    order.emplace_back("estimate");
  });
  QObject::connect(&runner, &PredictionRunner::predicted, [&](const Answer& answer) {
    EXPECT_EQ(QThread::currentThread(), runner.thread());
    EXPECT_GT(answer->prediction.step, Seconds(0));
    EXPECT_GT(answer->timeline.slice_count(), 0u);
    order.emplace_back("prediction");
  });
  runner.request(default_scenario());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.is_busy(); }, patience));
  EXPECT_THAT(order, testing::ElementsAre("estimate", "prediction"));
}

TEST(PredictionRunner, AnswersOnlyTheNewestRequest) {
  PredictionRunner runner(catalog());
  std::vector<int> answered;
  QObject::connect(&runner, &PredictionRunner::predicted,
                   [&](const Answer& answer) { answered.push_back(answer->input.scenario.devices); });
  for (const int devices : {1, 2, 4, 8, 16}) {
    Scenario scenario = default_scenario();
    scenario.devices = devices;
    runner.request(scenario);
  }
  ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.is_busy(); }, patience));
  EXPECT_THAT(answered, testing::ElementsAre(16));
}

TEST(PredictionRunner, SaysWhyItCannot) {
  PredictionRunner runner(catalog());
  QString message;
  ExitCode exit_code = ExitCode::done;
  QObject::connect(&runner, &PredictionRunner::failed, [&](const QString& text, ExitCode code) {
    message = text;
    exit_code = code;
  });
  Scenario scenario = default_scenario();
  scenario.devices = 12;  // one node and a half
  runner.request(scenario);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.is_busy(); }, patience));
  EXPECT_THAT(message.toStdString(), testing::HasSubstr("12"));
  EXPECT_EQ(exit_code, ExitCode::bad_input);
}

TEST(CurveModel, HasACurveForEachStrategy) {
  CurveModel model(catalog());
  model.request(default_scenario());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !model.is_busy(); }, patience));
  ASSERT_EQ(model.curves().size(), 2u);
  const Curve* ddp = model.find(StrategyKind::distributed_data_parallel);
  ASSERT_TRUE(ddp);
  EXPECT_EQ(ddp->rows.size(), 7u);  // 1, 2, 4, ... 64
  EXPECT_DOUBLE_EQ(model.find(StrategyKind::data_parallel)->rows.front().speedup, 1);
}

TEST(Headline, SaysByHowMuchMemoryIsLacking) {
  StudyRow row;
  row.prediction.step = milliseconds(100);
  row.prediction.out_of_memory = OutOfMemory{"GPU 0", gibibytes(2), "backward"};
  const Headline headline = headline_of(row);
  ASSERT_EQ(headline.figures.size(), figure_count);
  EXPECT_EQ(headline.figures[0].value, "100 ms");
  EXPECT_TRUE(headline.figures.back().is_bad);
  EXPECT_THAT(headline.figures.back().detail,
              testing::AllOf(testing::HasSubstr("GPU 0"), testing::HasSubstr("2")));
}

}  // namespace
}  // namespace paceline::gui
