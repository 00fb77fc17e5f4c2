// A POSIX semaphore in shared memory that spins a little before it sleeps.
#pragma once

#include <semaphore.h>

#include "base/quantity.h"

namespace paceline {

class Semaphore {
 public:
  explicit Semaphore(unsigned count);
  ~Semaphore();
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  void post();
  // Spins for some microseconds first: waking a sleeper costs more than a small message takes.
  void wait();
  // False if nothing was posted within `limit`.
  bool wait_for(Seconds limit);

 private:
  sem_t semaphore_;
};

}  // namespace paceline
