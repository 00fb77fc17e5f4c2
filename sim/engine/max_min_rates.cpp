#include "sim/engine/engine.h"
#include "sim/engine/fair_sharing.h"

namespace paceline {

std::vector<double> max_min_rates(const std::vector<double>& capacities,
                                  const std::vector<FlowDemand>& flows) {
  FairSharing sharing(capacities);
  std::vector<FairSharing::Use> uses;
  for (const FlowDemand& flow : flows) {
    uses.clear();
    for (const FlowDemand::Use& use : flow.uses)
      uses.push_back({use.resource, use.weight, use.replicated ? 1 : flow.multiplicity});
    sharing.add_flow(flow.rate_limit, uses);
  }
  sharing.seal();
  for (FairSharing::FlowId flow = 0; flow < flows.size(); ++flow) sharing.start(flow);
  sharing.settle();
  std::vector<double> rates(flows.size());
  for (FairSharing::FlowId flow = 0; flow < flows.size(); ++flow) rates[flow] = sharing.rate(flow);
  return rates;
}

}  // namespace paceline
