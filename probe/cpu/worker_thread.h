// A thread that runs the jobs it is handed, in order: what a framework puts between a call and its execution.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace paceline {

class WorkerThread {
 public:
  WorkerThread();
  ~WorkerThread();  // runs what is queued, then ends
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  // Jobs must not throw.
  void submit(std::function<void()> job);
  // Returns once everything submitted has run.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable submitted_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> jobs_;
  bool busy_ = false;
  bool ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

// One worker a CPU, all doing the same on their own share.
class WorkerTeam {
 public:
  explicit WorkerTeam(int size) : workers_(static_cast<std::size_t>(size)) {}
  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()); }
  // Calls job(0) .. job(size - 1), one on each thread, and returns when all are done.
  void run(const std::function<void(int worker)>& job);

 private:
  std::vector<WorkerThread> workers_;
};

}  // namespace paceline
