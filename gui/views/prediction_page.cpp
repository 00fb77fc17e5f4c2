#include "gui/views/prediction_page.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace paceline::gui {

PredictionPage::PredictionPage(QWidget* parent)
    : QWidget(parent),
      headline_(new HeadlineView(this)),
      speedup_(new SpeedupChart(this)),
      breakdown_(new BreakdownChart(this)),
      memory_(new MemoryChart(this)),
      timeline_(new TimelinePane("timeline", this)) {
  setObjectName("prediction_page");
  auto* charts = new QWidget(this);
  charts->setObjectName("charts");
  auto* row = new QHBoxLayout(charts);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(speedup_, 10);
  row->addWidget(breakdown_, 12);
  row->addWidget(memory_, 11);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setObjectName("prediction_split");
  split->setChildrenCollapsible(false);
  split->setHandleWidth(8);
  split->addWidget(charts);
  split->addWidget(timeline_);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  split->setSizes({330, 330});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(8);
  column->addWidget(headline_);
  column->addWidget(split, 1);
}

void PredictionPage::show_estimate(Seconds step) {
  headline_->set_estimate(QString::fromStdString(to_string(step)));
}

void PredictionPage::show_nothing() {
  answer_.reset();
  headline_->set_headline(empty_headline());
  speedup_->remove_point();
  memory_->show_nothing();
  timeline_->set_timeline(nullptr);
}

void PredictionPage::show_answer(const Answer& answer) {
  answer_ = answer;
  const Scenario& scenario = answer->input.scenario;
  headline_->set_headline(headline_of(*answer));
  speedup_->set_point(scenario.devices, answer->speedup, scenario.strategy.kind);
  memory_->set_prediction(answer->prediction);
  // Shares ownership with the answer: the timeline is not copied.
  const std::shared_ptr<const Timeline> timeline(answer, &answer->timeline);
  timeline_->set_timeline(std::make_shared<const TimelineLayout>(timeline));
}

void PredictionPage::show_curves(const CurveModel& curves, StrategyKind kind) {
  speedup_->set_curves(curves.curves());
  if (const Curve* curve = curves.find(kind)) breakdown_->set_curve(*curve);
}

void PredictionPage::set_theme(const Theme& theme) {
  headline_->set_theme(theme);
  speedup_->set_theme(theme);
  breakdown_->set_theme(theme);
  memory_->set_theme(theme);
  timeline_->set_theme(theme);
}

}  // namespace paceline::gui
