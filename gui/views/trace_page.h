// A trace file: what its analysis says above, its timeline below.
#pragma once

#include <QTableWidget>
#include <QWidget>

#include "base/table.h"
#include "gui/models/trace_opener.h"
#include "gui/views/timeline_pane.h"

namespace paceline::gui {

class TracePage : public QWidget {
  Q_OBJECT

 public:
  explicit TracePage(std::shared_ptr<const OpenedTrace> trace, QWidget* parent = nullptr);

  void set_theme(const Theme& theme) { timeline_->set_theme(theme); }

 private:
  QTableWidget* add_table(const QString& name, const Table& table);

  std::shared_ptr<const OpenedTrace> trace_;
  TimelinePane* timeline_;
};

}  // namespace paceline::gui
