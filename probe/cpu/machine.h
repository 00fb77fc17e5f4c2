// What the operating system says about this machine.
#pragma once

#include <string>

#include "base/quantity.h"

namespace paceline {

struct Machine {
  std::string processor;   // "Intel(R) Xeon(R) Processor"
  int cpus = 1;            // that this process may run on
  Bytes last_level_cache;  // 32 MiB where the system does not say
  Bytes available_memory;  // without swapping, under the control group's limit
  double load = 0;         // processes that were running or waiting to run over the last minute
};
Machine this_machine();

}  // namespace paceline
