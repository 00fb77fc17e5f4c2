#include "sim/cost/transformer/pass.h"

namespace paceline {

void Pass::append(const Pass& other) {
  steps.insert(steps.end(), other.steps.begin(), other.steps.end());
  host += other.host;
}

}  // namespace paceline
