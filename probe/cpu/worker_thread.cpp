#include "probe/cpu/worker_thread.h"

#include <utility>

namespace paceline {

WorkerThread::WorkerThread() : thread_([this] { work(); }) {}

WorkerThread::~WorkerThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  submitted_.notify_one();
  thread_.join();
}

void WorkerThread::submit(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  submitted_.notify_one();
}

void WorkerThread::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return jobs_.empty() && !busy_; });
}

void WorkerThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    submitted_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    job();
    lock.lock();
    busy_ = false;
    if (jobs_.empty()) idle_.notify_all();
  }
}

void WorkerTeam::run(const std::function<void(int worker)>& job) {
  for (int worker = 0; worker < size(); ++worker)
    workers_[static_cast<std::size_t>(worker)].submit([&job, worker] { job(worker); });
  for (WorkerThread& worker : workers_) worker.wait();
}

}  // namespace paceline
