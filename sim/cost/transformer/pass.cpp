#include "sim/cost/transformer/pass.h"

namespace paceline {

void Pass::append(const Pass& other) {
  steps.insert(steps.end(), other.steps.begin(), other.steps.end());
  host += other.host;
}

Seconds kernel_time(const Pass& pass) {
  Seconds sum;
  for (const PassStep& step : pass.steps)
    if (const auto* kernel = std::get_if<Kernel>(&step)) sum += kernel->time;
  return sum;
}

}  // namespace paceline
