#include "gui/models/latest_worker.h"

#include <utility>

namespace paceline::gui {

LatestWorker::LatestWorker() : thread_([this] { run(); }) {}

LatestWorker::~LatestWorker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    ++generation_;
  }
  wake_.notify_one();
  thread_.join();
}

void LatestWorker::start(Job job) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(job);
    ++generation_;
  }
  wake_.notify_one();
}

void LatestWorker::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || next_; });
    if (ending_) return;
    const Job job = std::exchange(next_, nullptr);
    const std::uint64_t own = generation_;
    lock.unlock();
    job([this, own] { return generation_ == own; });
    lock.lock();
  }
}

}  // namespace paceline::gui
