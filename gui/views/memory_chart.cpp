#include "gui/views/memory_chart.h"

#include <QChart>
#include <QLineSeries>
#include <algorithm>

namespace paceline::gui {
namespace {

double gib(Bytes amount) { return amount / gibibytes(1); }

// "GPU 1-7" says how many there are.
QString category_of(const RankMemory& rank) { return QString::fromStdString(rank.name).section(" (x", 0, 0); }

}  // namespace

MemoryChart::MemoryChart(QWidget* parent) : ChartPanel("memory_chart", "Peak memory by cause", parent) {
  chart()->legend()->setAlignment(Qt::AlignRight);
}

void MemoryChart::set_prediction(const Prediction& prediction) {
  memory_ = prediction.memory;
  capacity_ = prediction.capacity;
  draw();
}

void MemoryChart::show_nothing() {
  memory_.clear();
  clear();
}

void MemoryChart::set_theme(const Theme& theme) {
  ChartPanel::set_theme(theme);
  draw();
}

void MemoryChart::draw() {
  if (memory_.empty()) return;
  QStringList categories;
  Bytes top = capacity_;
  for (const RankMemory& rank : memory_) {
    categories << category_of(rank);
    top = std::max(top, rank.peak);
  }
  QList<QBarSet*> sets;
  for (std::size_t cause = 0; cause < memory_cause_count; ++cause) {
    QList<double> values;
    for (const RankMemory& rank : memory_) values << gib(rank.at_peak[cause]);
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) continue;
    const auto which = static_cast<MemoryCause>(cause);
    sets << bar_set(QString::fromUtf8(to_string(which).data()), color_of(which), values);
  }
  show_stack(sets, categories, gib(top) * 1.04, "GiB", "");
  draw_capacity();
}

void MemoryChart::draw_capacity() {
  auto* line = new QLineSeries;
  line->setName("capacity");
  line->setPen(QPen(theme().bad, 2, Qt::DashLine));
  line->append(-0.5, gib(capacity_));
  line->append(static_cast<double>(memory_.size()) - 0.5, gib(capacity_));
  chart()->addSeries(line);
  const QList<QAbstractAxis*> axes = chart()->axes();
  for (QAbstractAxis* axis : axes) line->attachAxis(axis);
}

}  // namespace paceline::gui
