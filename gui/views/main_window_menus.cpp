// The menus and what their entries do.
#include <QAction>
#include <QFileDialog>
#include <QMenuBar>

#include "base/file.h"
#include "gui/views/main_window.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline::gui {
namespace {

// Shows the error of `action` where the window shows its errors.
template <class Action, class Say>
void try_to(Action action, Say say) {
  try {
    action();
  } catch (const Error& error) {
    say(QString::fromStdString(error.what()), error.exit_code());
  }
}

QAction* add_action(QMenu* menu, const QString& text, const QKeySequence& keys, const QString& name) {
  QAction* action = menu->addAction(text);
  action->setShortcut(keys);
  action->setObjectName(name);
  return action;
}

}  // namespace

void MainWindow::make_menus() {
  QMenu* file = menuBar()->addMenu("&File");
  connect(add_action(file, "&Open scenario or trace …", QKeySequence::Open, "action_open"),
          &QAction::triggered, this, &MainWindow::ask_for_file);
  connect(add_action(file, "&Save scenario …", QKeySequence::Save, "action_save"), &QAction::triggered, this,
          &MainWindow::save_scenario);
  connect(add_action(file, "&Export predicted timeline …", Qt::CTRL | Qt::Key_E, "action_export"),
          &QAction::triggered, this, &MainWindow::export_timeline);
  file->addSeparator();
  connect(add_action(file, "&Quit", QKeySequence::Quit, "action_quit"), &QAction::triggered, this,
          &MainWindow::close);
  QMenu* view = menuBar()->addMenu("&View");
  QAction* dark = add_action(view, "&Dark", Qt::CTRL | Qt::Key_T, "action_dark");
  dark->setCheckable(true);
  connect(dark, &QAction::toggled, this,
          [this](bool is_dark) { set_theme(is_dark ? ThemeKind::dark : ThemeKind::light); });
  QMenu* help = menuBar()->addMenu("&Help");
  connect(add_action(help, "&Keys", Qt::Key_Question, "action_keys"), &QAction::triggered, this,
          [this] { help_->toggle(); });
}

void MainWindow::ask_for_file() {
  const QString file = QFileDialog::getOpenFileName(this, "Open a scenario or a trace", QString(),
                                                    "Scenarios and traces (*.json *.json.gz);;All files (*)");
  if (!file.isEmpty()) open_or_say_why(file);
}

void MainWindow::save_scenario() {
  const QString file =
      QFileDialog::getSaveFileName(this, "Save the scenario", "scenario.json", "Scenarios (*.json)");
  if (file.isEmpty()) return;
  try_to([&] { write_file(file.toStdString(), to_json(scenario_.scenario())); },
         [this](const QString& message, ExitCode code) { show_failure(message, code); });
}

void MainWindow::export_timeline() {
  const Answer answer = prediction_page_->answer();
  if (!answer) return;
  const QString file = QFileDialog::getSaveFileName(this, "Export the predicted timeline",
                                                    "prediction.json.gz", "Chrome traces (*.json *.json.gz)");
  if (file.isEmpty()) return;
  try_to([&] { write_chrome_json(answer->timeline, file.toStdString()); },
         [this](const QString& message, ExitCode code) { show_failure(message, code); });
}

}  // namespace paceline::gui
