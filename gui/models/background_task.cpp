#include "gui/models/background_task.h"

#include <utility>

namespace paceline::gui {

BackgroundTask::BackgroundTask(QObject* parent)
    : QObject(parent), worker_(std::make_unique<LatestWorker>()) {}

void BackgroundTask::stop() { worker_.reset(); }

void BackgroundTask::start(Work work) {
  const std::uint64_t request = ++requested_;
  worker_->start([this, request, work = std::move(work)](const LatestWorker::IsNewest& is_newest) {
    const auto report = [this](const std::string& message, ExitCode code) -> Delivery {
      return [this, text = QString::fromStdString(message), code] { emit failed(text, code); };
    };
    Delivery end = [] {};
    try {
      work([this, request](Delivery delivery) { post(request, std::move(delivery)); }, is_newest);
    } catch (const Error& error) {
      end = report(error.what(), error.exit_code());
    } catch (const std::exception& error) {
      end = report(error.what(), ExitCode::other);
    }
    post(request, [this, request, end = std::move(end)] { finish(request, end); });
  });
}

void BackgroundTask::post(std::uint64_t request, Delivery delivery) {
  QMetaObject::invokeMethod(
      this,
      [this, request, delivery = std::move(delivery)] {
        if (request == requested_) delivery();
      },
      Qt::QueuedConnection);
}

void BackgroundTask::finish(std::uint64_t request, const Delivery& report) {
  answered_ = request;
  report();
  emit settled();
}

}  // namespace paceline::gui
