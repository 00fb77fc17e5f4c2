#include "sim/strategy/placement.h"

#include <algorithm>
#include <vector>

namespace paceline {

double fullest_share(const Model& model, int servers, Placement placement) {
  if (placement == Placement::partitioned || model.parameter_count() == 0) return 1.0 / servers;
  std::vector<double> kept(static_cast<std::size_t>(servers), 0);
  std::size_t turn = 0;
  for (const Parameter& parameter : model.parameters) {
    const auto server = placement == Placement::round_robin ? kept.begin() + static_cast<long>(turn)
                                                            : std::min_element(kept.begin(), kept.end());
    *server += static_cast<double>(parameter.elements);
    turn = (turn + 1) % kept.size();
  }
  return *std::max_element(kept.begin(), kept.end()) / static_cast<double>(model.parameter_count());
}

}  // namespace paceline
