#include "gui/views/trace_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "gui/models/trace_summary.h"

namespace paceline::gui {
namespace {

constexpr std::size_t most_names = 200;

}  // namespace

TracePage::TracePage(std::shared_ptr<const OpenedTrace> trace, QWidget* parent)
    : QWidget(parent), trace_(std::move(trace)), timeline_(new TimelinePane("trace_timeline", this)) {
  setObjectName("trace_page");
  auto* line = new QLabel(QString::fromStdString(trace_line(*trace_)), this);
  line->setObjectName("trace_line");
  line->setTextFormat(Qt::PlainText);
  line->setWordWrap(true);
  line->setToolTip(QString::fromStdString(to_text(trace_->report)).toHtmlEscaped());
  auto* tables = new QSplitter(Qt::Horizontal, this);
  tables->setObjectName("trace_tables");
  tables->addWidget(add_table("trace_ranks", rank_table(trace_->analysis)));
  tables->addWidget(add_table("trace_names", name_table(trace_->analysis, most_names)));
  tables->setSizes({660, 720});
  tables->setChildrenCollapsible(false);
  tables->setHandleWidth(8);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setObjectName("trace_split");
  split->setChildrenCollapsible(false);
  split->setHandleWidth(8);
  split->addWidget(tables);
  split->addWidget(timeline_);
  split->setSizes({220, 520});
  split->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(8);
  column->addWidget(line);
  column->addWidget(split, 1);
  timeline_->set_timeline(trace_->layout);
}

QTableWidget* TracePage::add_table(const QString& name, const Table& table) {
  auto* widget =
      new QTableWidget(static_cast<int>(table.rows.size()), static_cast<int>(table.columns.size()), this);
  widget->setObjectName(name);
  widget->setFrameShape(QFrame::NoFrame);
  widget->setEditTriggers(QAbstractItemView::NoEditTriggers);
  widget->setSelectionBehavior(QAbstractItemView::SelectRows);
  widget->setAlternatingRowColors(true);
  widget->setShowGrid(false);
  widget->setWordWrap(false);
  widget->verticalHeader()->hide();
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto alignment =
        Qt::AlignVCenter | (table.columns[column].right_aligned ? Qt::AlignRight : Qt::AlignLeft);
    const int at = static_cast<int>(column);
    auto* title = new QTableWidgetItem(QString::fromStdString(table.columns[column].title));
    title->setTextAlignment(alignment);
    widget->setHorizontalHeaderItem(at, title);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      auto* item = new QTableWidgetItem(QString::fromStdString(table.rows[row][column]));
      item->setTextAlignment(alignment);
      item->setToolTip(item->text().toHtmlEscaped());
      widget->setItem(static_cast<int>(row), at, item);
    }
  }
  widget->resizeColumnsToContents();
  for (int column = 0; column < widget->columnCount(); ++column)
    widget->setColumnWidth(column, std::min(widget->columnWidth(column), 320));
  widget->verticalHeader()->setDefaultSectionSize(24);
  return widget;
}

}  // namespace paceline::gui
