// A thread that runs the newest job it was given; jobs that were overtaken before they began never run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace paceline::gui {

class LatestWorker {
 public:
  // Long jobs ask between their parts whether somebody still wants the answer.
  using IsNewest = std::function<bool()>;
  using Job = std::function<void(const IsNewest&)>;

  LatestWorker();
  LatestWorker(const LatestWorker&) = delete;
  LatestWorker& operator=(const LatestWorker&) = delete;
  // Waits for the job that is running; it no longer counts as the newest.
  ~LatestWorker();

  void start(Job job);  // jobs must not throw

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  Job next_;
  bool ending_ = false;
  std::atomic<std::uint64_t> generation_ = 0;
  std::thread thread_;  // last, since it uses the others
};

}  // namespace paceline::gui
