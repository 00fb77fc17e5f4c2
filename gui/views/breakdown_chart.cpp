#include "gui/views/breakdown_chart.h"

#include <QChart>
#include <algorithm>

namespace paceline::gui {
namespace {

double milli(Seconds time) { return time / milliseconds(1); }

}  // namespace

BreakdownChart::BreakdownChart(QWidget* parent)
    : ChartPanel("breakdown_chart", "Step time by cause", parent) {}

void BreakdownChart::set_curve(const Curve& curve) {
  QStringList categories;
  QList<double> compute, exposed, optimizer, idle;
  Seconds top;
  for (const StudyRow& row : curve.rows) {
    const StepBreakdown& parts = row.prediction.breakdown;
    categories << QString::number(row.input.scenario.devices);
    compute << milli(parts.forward + parts.backward);
    exposed << milli(parts.exposed_communication);
    optimizer << milli(parts.optimizer);
    idle << milli(parts.idle);
    top = std::max(top, row.prediction.step);
  }
  chart()->setTitle(QString("Step time by cause, %1").arg(QString::fromStdString(title_of(curve.kind))));
  show_stack({bar_set("compute", color_of(StepPart::compute), compute),
              bar_set("exposed communication", color_of(StepPart::exposed_communication), exposed),
              bar_set("optimizer", color_of(StepPart::optimizer), optimizer),
              bar_set("idle", color_of(StepPart::idle), idle)},
             categories, milli(top), "ms", "GPUs");
}

}  // namespace paceline::gui
