// What the computing models share: one request at a time in the background, the newest wins, results arrive
// on the object's own thread, and errors arrive as a message.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/error.h"
#include "gui/models/latest_worker.h"

namespace paceline::gui {

class BackgroundTask : public QObject {
  Q_OBJECT

 public:
  explicit BackgroundTask(QObject* parent = nullptr);

  // Whether the newest request is still to be answered.
  [[nodiscard]] bool is_busy() const { return answered_ != requested_; }

 signals:
  void failed(const QString& message, paceline::ExitCode code);
  void settled();  // after the answer to the newest request, good or bad

 protected:
  using Delivery = std::function<void()>;
  // Hands a delivery to the object's thread, which drops it if a newer request has been made.
  using Post = std::function<void(Delivery)>;
  using Work = std::function<void(const Post& post, const LatestWorker::IsNewest& is_newest)>;

  // Runs `work` on the worker's thread. It owns copies of all it needs.
  void start(Work work);
  // Waits for the worker and stops it: for destructors of subclasses, whose members the work may use.
  void stop();

 private:
  void post(std::uint64_t request, Delivery delivery);
  void finish(std::uint64_t request, const Delivery& report);

  std::uint64_t requested_ = 0, answered_ = 0;
  std::unique_ptr<LatestWorker> worker_;
};

}  // namespace paceline::gui
