#include "gui/views/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QTabBar>
#include <QUrl>
#include <QVBoxLayout>
#include <filesystem>

#include "gui/models/scenario_file.h"
#include "gui/views/scenario_panel.h"
#include "gui/views/trace_page.h"

namespace paceline::gui {

MainWindow::MainWindow(const Catalog& catalog, QWidget* parent)
    : QMainWindow(parent),
      scenario_(catalog),
      prediction_(catalog),
      curves_(catalog),
      theme_(theme_of(ThemeKind::light)) {
  setObjectName("main_window");
  setWindowTitle("Paceline");
  setAcceptDrops(true);
  resize(1400, 900);
  make_dock();
  make_pages();
  make_menus();
  help_ = new KeyHelp(this);
  connect_models();
  set_theme(ThemeKind::light);
  request();
}

void MainWindow::make_dock() {
  dock_ = new QDockWidget("Scenario", this);
  dock_->setObjectName("scenario_dock");
  dock_->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
  auto* scroll = new QScrollArea(dock_);
  scroll->setObjectName("scenario_scroll");
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(new ScenarioPanel(scenario_, scroll));
  scroll->setMinimumWidth(310);
  dock_->setWidget(scroll);
  addDockWidget(Qt::LeftDockWidgetArea, dock_);
}

void MainWindow::make_pages() {
  auto* center = new QWidget(this);
  center->setObjectName("center");
  messages_ = new MessageBar(center);
  pages_ = new QTabWidget(center);
  pages_->setObjectName("pages");
  pages_->setDocumentMode(true);
  pages_->setTabsClosable(true);
  prediction_page_ = new PredictionPage(pages_);
  pages_->addTab(prediction_page_, "Prediction");
  pages_->tabBar()->setTabButton(0, QTabBar::RightSide, nullptr);  // this one stays
  pages_->setTabBarAutoHide(true);
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(messages_);
  column->addWidget(pages_, 1);
  setCentralWidget(center);
}

void MainWindow::connect_models() {
  connect(&scenario_, &ScenarioModel::changed, this, &MainWindow::request);
  connect(&prediction_, &PredictionRunner::estimated, prediction_page_, &PredictionPage::show_estimate);
  connect(&prediction_, &PredictionRunner::predicted, prediction_page_, &PredictionPage::show_answer);
  connect(&prediction_, &PredictionRunner::failed, prediction_page_, &PredictionPage::show_nothing);
  connect(&curves_, &CurveModel::changed, this,
          [this] { prediction_page_->show_curves(curves_, scenario_.scenario().strategy.kind); });
  connect(&traces_, &TraceOpener::opened, this, &MainWindow::show_trace);
  for (BackgroundTask* task :
       {static_cast<BackgroundTask*>(&prediction_), static_cast<BackgroundTask*>(&curves_),
        static_cast<BackgroundTask*>(&traces_)}) {
    connect(task, &BackgroundTask::failed, this, &MainWindow::show_failure);
    connect(task, &BackgroundTask::settled, this, [this] {
      if (!is_busy()) emit settled();
    });
  }
  connect(pages_, &QTabWidget::tabCloseRequested, this, &MainWindow::close_page);
  // The controls say nothing about a trace.
  connect(pages_, &QTabWidget::currentChanged, this,
          [this](int) { dock_->setVisible(pages_->currentWidget() == prediction_page_); });
}

void MainWindow::request() {
  messages_->clear();  // it was about another scenario
  prediction_.request(scenario_.scenario());
  curves_.request(scenario_.scenario());
}

bool MainWindow::is_busy() const { return prediction_.is_busy() || curves_.is_busy() || traces_.is_busy(); }

void MainWindow::open(const std::string& file) {
  if (is_scenario_file(file)) {
    scenario_.set_scenario(read_scenario(JsonValue::parse_file(file), {&scenario_.catalog(), ""}));
    pages_->setCurrentWidget(prediction_page_);
    return;
  }
  traces_.open(file);
}

void MainWindow::open_or_say_why(const QString& file) {
  try {
    messages_->clear();
    open(file.toStdString());
  } catch (const Error& error) {
    show_failure(QString::fromStdString(error.what()), error.exit_code());
  }
}

void MainWindow::show_failure(const QString& message, ExitCode code) {
  messages_->show_message(message);
  emit failed(message, code);
}

void MainWindow::show_trace(const std::shared_ptr<const OpenedTrace>& trace) {
  auto* page = new TracePage(trace, pages_);
  page->set_theme(theme_);
  const std::string name = std::filesystem::path(trace->file).filename().string();
  pages_->setCurrentIndex(pages_->addTab(page, QString::fromStdString(name)));
}

void MainWindow::close_page(int index) {
  QWidget* page = pages_->widget(index);
  if (page == prediction_page_) return;
  pages_->removeTab(index);
  page->deleteLater();
}

void MainWindow::set_theme(ThemeKind kind) {
  theme_ = theme_of(kind);
  QApplication::setPalette(palette_of(theme_));
  messages_->set_theme(theme_);
  prediction_page_->set_theme(theme_);
  const QList<TracePage*> traces = pages_->findChildren<TracePage*>();
  for (TracePage* page : traces) page->set_theme(theme_);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  for (const QUrl& url : urls)
    if (url.isLocalFile()) open_or_say_why(url.toLocalFile());
}

}  // namespace paceline::gui
