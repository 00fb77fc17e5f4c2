// Reads a trace file in the background and analyses it.
#pragma once

#include <QObject>
#include <memory>
#include <string>

#include "gui/models/background_task.h"
#include "gui/models/timeline_layout.h"
#include "traces/analysis/analysis.h"
#include "traces/kineto/import_report.h"

namespace paceline::gui {

struct OpenedTrace {
  std::string file;
  std::shared_ptr<const TimelineLayout> layout;  // keeps the Timeline
  Analysis analysis;
  ImportReport report;
};

class TraceOpener : public BackgroundTask {
  Q_OBJECT

 public:
  explicit TraceOpener(QObject* parent = nullptr) : BackgroundTask(parent) {}
  ~TraceOpener() override { stop(); }

  void open(const std::string& file);

 signals:
  void opened(const std::shared_ptr<const paceline::gui::OpenedTrace>& trace);
};

}  // namespace paceline::gui
