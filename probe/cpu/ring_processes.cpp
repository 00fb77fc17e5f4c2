#include "probe/cpu/ring_processes.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>

#include "base/error.h"
#include "probe/cpu/ring.h"

namespace paceline {

struct RingProcesses::Order {
  enum class What { check, time } what = What::check;
  std::size_t floats = 0;
  int repetitions = 1;
};

// One rank's place in shared memory: its mailbox, its order, its answer. Its data follows.
struct RingProcesses::Desk {
  Mailbox mailbox;
  Semaphore go{0};
  Semaphore done{0};
  Order order;
  double seconds = 0;
  std::size_t wrong = 0;
};

namespace {

constexpr std::size_t page = 4096;

// Small integers, so that their sum is exact in any order.
float input_value(int rank, std::size_t index) {
  return static_cast<float>((index * 7 + static_cast<std::size_t>(rank) * 3) % 101);
}

std::size_t check_once(RingRank& ring, int rank, int ranks, float* data, std::size_t floats) {
  for (std::size_t i = 0; i < floats; ++i) data[i] = input_value(rank, i);
  ring.all_reduce(data, floats);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < floats; ++i) {
    float expected = 0;
    for (int other = 0; other < ranks; ++other) expected += input_value(other, i);
    if (data[i] != expected) ++wrong;
  }
  return wrong;
}

double time_repetitions(RingRank& ring, float* data, std::size_t floats, int repetitions) {
  using SteadyClock = std::chrono::steady_clock;
  std::fill_n(data, floats, 0.0F);  // sums of sums would overflow
  ring.barrier();
  const auto start = SteadyClock::now();
  for (int repetition = 0; repetition < repetitions; ++repetition) ring.all_reduce(data, floats);
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

}  // namespace

RingProcesses::RingProcesses(int ranks, std::size_t most_floats)
    : ranks_(ranks),
      most_floats_(most_floats),
      bytes_a_rank_((sizeof(Desk) + most_floats * sizeof(float) + 2 * page) / page * page),
      memory_(bytes_a_rank_ * static_cast<std::size_t>(ranks)) {
  for (int rank = 0; rank < ranks; ++rank) new (&desk(rank)) Desk;
  try {
    for (int rank = 0; rank < ranks; ++rank) start(rank);
  } catch (...) {
    end_all();
    throw;
  }
}

RingProcesses::~RingProcesses() {
  end_all();
  for (int rank = 0; rank < ranks_; ++rank) desk(rank).~Desk();
}

std::size_t RingProcesses::count_wrong(std::size_t floats) {
  execute({Order::What::check, floats, 1});
  std::size_t wrong = 0;
  for (int rank = 0; rank < ranks_; ++rank) wrong += desk(rank).wrong;
  return wrong;
}

Seconds RingProcesses::time(std::size_t floats, int repetitions) {
  execute({Order::What::time, floats, repetitions});
  double slowest = 0;
  for (int rank = 0; rank < ranks_; ++rank) slowest = std::max(slowest, desk(rank).seconds);
  return Seconds(slowest);
}

void RingProcesses::start(int rank) {
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    throw DeviceError("fork", std::strerror(errno), "ask for fewer ranks or raise the process limit");
  if (process > 0) {
    processes_.push_back(process);
    return;
  }
  // A rank must not outlive the probe, however the probe ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  serve(rank);
}

// The life of a forked rank. The parent may have had threads, so nothing here allocates, locks or prints.
void RingProcesses::serve(int rank) {
  Desk& own = desk(rank);
  RingRank ring(rank, ranks_, own.mailbox, desk((rank + 1) % ranks_).mailbox);
  while (true) {
    own.go.wait();
    const Order& order = own.order;
    if (order.what == Order::What::check)
      own.wrong = check_once(ring, rank, ranks_, data(rank), order.floats);
    else
      own.seconds = time_repetitions(ring, data(rank), order.floats, order.repetitions);
    own.done.post();
  }
}

void RingProcesses::execute(const Order& order) {
  if (order.floats > most_floats_) {
    throw InputError("ring all-reduce", fmt::format("{} floats", order.floats),
                     fmt::format("{} at most", most_floats_), "");
  }
  for (int rank = 0; rank < ranks_; ++rank) {
    desk(rank).order = order;
    desk(rank).go.post();
  }
  for (int rank = 0; rank < ranks_; ++rank) await(rank);
}

void RingProcesses::await(int rank) {
  while (!desk(rank).done.wait_for(milliseconds(200))) {
    for (int other = 0; other < ranks_; ++other) throw_if_ended(other);
  }
}

void RingProcesses::throw_if_ended(int rank) {
  pid_t& process = processes_[static_cast<std::size_t>(rank)];
  int status = 0;
  if (process <= 0 || ::waitpid(process, &status, WNOHANG) != process) return;
  process = 0;
  const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                              : fmt::format("exited with {}", WEXITSTATUS(status));
  throw DeviceError("ring all-reduce", fmt::format("the process of rank {} {}", rank, how),
                    "look for a memory limit or a process killer and measure again");
}

void RingProcesses::end_all() {
  for (const pid_t process : processes_) {
    if (process > 0) ::kill(process, SIGKILL);
  }
  for (pid_t& process : processes_) {
    if (process > 0) ::waitpid(process, nullptr, 0);
    process = 0;
  }
}

RingProcesses::Desk& RingProcesses::desk(int rank) const {
  return *reinterpret_cast<Desk*>(memory_.data() + bytes_a_rank_ * static_cast<std::size_t>(rank));
}

float* RingProcesses::data(int rank) const {
  return reinterpret_cast<float*>(memory_.data() + bytes_a_rank_ * static_cast<std::size_t>(rank) +
                                  (sizeof(Desk) + page - 1) / page * page);
}

}  // namespace paceline
