#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "sim/engine/engine.h"

namespace paceline {
namespace {

constexpr double tolerance = 1e-9;

struct System {
  std::vector<double> capacities;
  std::vector<FlowDemand> flows;
};

double draw(int first, int end) { return *rc::gen::inRange(first, end) / 7.0; }

FlowDemand draw_flow(std::size_t resources) {
  FlowDemand flow{
      .rate_limit = draw(1, 100), .multiplicity = static_cast<double>(*rc::gen::inRange(1, 6)), .uses = {}};
  for (std::uint32_t resource = 0; resource < resources; ++resource)
    if (*rc::gen::inRange(0, 2) == 0)
      flow.uses.push_back(
          {.resource = resource, .weight = draw(1, 20), .replicated = *rc::gen::inRange(0, 2) == 0});
  return flow;
}

System draw_system() {
  System system;
  const int resources = *rc::gen::inRange(0, 6);
  for (int each = 0; each < resources; ++each) system.capacities.push_back(draw(1, 200));
  const int flows = *rc::gen::inRange(1, 10);
  for (int each = 0; each < flows; ++each) system.flows.push_back(draw_flow(system.capacities.size()));
  return system;
}

std::vector<double> loads(const System& system, const std::vector<double>& rates) {
  std::vector<double> result(system.capacities.size());
  for (std::size_t flow = 0; flow < rates.size(); ++flow)
    for (const FlowDemand::Use& use : system.flows[flow].uses)
      result[use.resource] +=
          rates[flow] * use.weight * (use.replicated ? 1 : system.flows[flow].multiplicity);
  return result;
}

// The fastest flow on the resource.
double fastest(const System& system, const std::vector<double>& rates, std::uint32_t resource) {
  double result = 0;
  for (std::size_t flow = 0; flow < rates.size(); ++flow)
    for (const FlowDemand::Use& use : system.flows[flow].uses)
      if (use.resource == resource) result = std::max(result, rates[flow]);
  return result;
}

RC_GTEST_PROP(MaxMinProperty, NoResourceIsOverItsCapacityAndNoFlowAboveItsLimit, ()) {
  const System system = draw_system();
  const std::vector<double> rates = max_min_rates(system.capacities, system.flows);
  const std::vector<double> load = loads(system, rates);
  for (std::size_t resource = 0; resource < load.size(); ++resource)
    RC_ASSERT(load[resource] <= system.capacities[resource] * (1 + tolerance));
  for (std::size_t flow = 0; flow < rates.size(); ++flow) {
    RC_ASSERT(rates[flow] > 0);
    RC_ASSERT(rates[flow] <= system.flows[flow].rate_limit);
  }
}

// This is what makes the rates max-min fair, and there is only one such solution.
RC_GTEST_PROP(MaxMinProperty, EveryFlowIsHeldByItsLimitOrByAFullResourceWhereNoneIsFaster, ()) {
  const System system = draw_system();
  const std::vector<double> rates = max_min_rates(system.capacities, system.flows);
  const std::vector<double> load = loads(system, rates);
  for (std::size_t flow = 0; flow < rates.size(); ++flow) {
    const auto holds = [&](const FlowDemand::Use& use) {
      return load[use.resource] >= system.capacities[use.resource] * (1 - tolerance) &&
             rates[flow] >= fastest(system, rates, use.resource) * (1 - tolerance);
    };
    const std::vector<FlowDemand::Use>& uses = system.flows[flow].uses;
    RC_ASSERT(rates[flow] == system.flows[flow].rate_limit || std::any_of(uses.begin(), uses.end(), holds));
  }
}

}  // namespace
}  // namespace paceline
