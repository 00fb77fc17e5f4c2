#include "probe/cpu/semaphore.h"

#include <sched.h>

#include <cerrno>
#include <cmath>
#include <ctime>

namespace paceline {
namespace {

// Some 100 us. Yielding now and then keeps more ranks than CPUs from waiting for each other's time slices.
constexpr int spins = 10000;
constexpr int spins_between_yields = 100;

timespec after(timespec moment, Seconds delay) {
  const double whole = std::floor(delay.value());
  moment.tv_sec += static_cast<time_t>(whole);
  moment.tv_nsec += static_cast<long>((delay.value() - whole) * 1e9);
  if (moment.tv_nsec >= 1'000'000'000) {
    moment.tv_nsec -= 1'000'000'000;
    ++moment.tv_sec;
  }
  return moment;
}

}  // namespace

Semaphore::Semaphore(unsigned count) : semaphore_() {
  constexpr int between_processes = 1;
  ::sem_init(&semaphore_, between_processes, count);
}

Semaphore::~Semaphore() { ::sem_destroy(&semaphore_); }

void Semaphore::post() { ::sem_post(&semaphore_); }

void Semaphore::wait() {
  for (int spin = 0; spin < spins; ++spin) {
    if (::sem_trywait(&semaphore_) == 0) return;
    if (spin % spins_between_yields == spins_between_yields - 1) ::sched_yield();
  }
  while (::sem_wait(&semaphore_) != 0) {  // a signal interrupted it
  }
}

bool Semaphore::wait_for(Seconds limit) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const timespec deadline = after(now, limit);
  while (::sem_timedwait(&semaphore_, &deadline) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace paceline
