// The window: controls on the left, the prediction and opened traces as pages, messages above them.
#pragma once

#include <QMainWindow>
#include <QTabWidget>
#include <string>

#include "gui/models/curve_model.h"
#include "gui/models/prediction_runner.h"
#include "gui/models/scenario_model.h"
#include "gui/models/trace_opener.h"
#include "gui/views/key_help.h"
#include "gui/views/message_bar.h"
#include "gui/views/prediction_page.h"
#include "gui/views/theme.h"

class QDockWidget;

namespace paceline::gui {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // The catalog must outlive the window.
  explicit MainWindow(const Catalog& catalog, QWidget* parent = nullptr);

  // A scenario is read at once, a trace in the background. Throws InputError if the file cannot be read or is
  // a scenario that is wrong; what is wrong with a trace arrives as `failed`.
  void open(const std::string& file);
  // The same, with the error in the message bar.
  void open_or_say_why(const QString& file);
  void set_theme(ThemeKind kind);

  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] ScenarioModel& scenario_model() { return scenario_; }
  [[nodiscard]] const CurveModel& curve_model() const { return curves_; }

 signals:
  void settled();  // everything asked for is on the screen
  void failed(const QString& message, paceline::ExitCode code);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void make_dock();
  void make_pages();
  void make_menus();
  void connect_models();
  void request();
  void show_failure(const QString& message, ExitCode code);
  void show_trace(const std::shared_ptr<const OpenedTrace>& trace);
  void ask_for_file();
  void save_scenario();
  void export_timeline();
  void close_page(int index);

  ScenarioModel scenario_;
  PredictionRunner prediction_;
  CurveModel curves_;
  TraceOpener traces_;
  Theme theme_;
  QDockWidget* dock_ = nullptr;
  QTabWidget* pages_ = nullptr;
  MessageBar* messages_ = nullptr;
  PredictionPage* prediction_page_ = nullptr;
  KeyHelp* help_ = nullptr;
};

}  // namespace paceline::gui
