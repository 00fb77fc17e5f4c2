#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sim/engine/engine.h"
#include "sim/engine/fair_sharing.h"

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

// x solves the system with capacities c and limits l just when k x solves it with k c and k l.
RC_GTEST_PROP(MaxMinProperty, RatesScaleWithCapacitiesAndLimits, ()) {
  System system = draw_system();
  const std::vector<double> before = max_min_rates(system.capacities, system.flows);
  const double factor = draw(1, 1000);
  for (double& capacity : system.capacities) capacity *= factor;
  for (FlowDemand& flow : system.flows) flow.rate_limit *= factor;
  const std::vector<double> after = max_min_rates(system.capacities, system.flows);
  for (std::size_t flow = 0; flow < before.size(); ++flow)
    RC_ASSERT(std::abs(after[flow] - before[flow] * factor) <= tolerance * before[flow] * factor);
}

// The rates of the old flows would still fit without the new one, and none that fit have a larger minimum.
RC_GTEST_PROP(MaxMinProperty, OneMoreFlowNeverRaisesTheSlowest, ()) {
  System system = draw_system();
  const std::vector<double> before = max_min_rates(system.capacities, system.flows);
  system.flows.push_back(draw_flow(system.capacities.size()));
  const std::vector<double> after = max_min_rates(system.capacities, system.flows);
  const double slowest = *std::min_element(before.begin(), before.end());
  RC_ASSERT(*std::min_element(after.begin(), after.end() - 1) <= slowest * (1 + tolerance));
}

// To the last bit: sums do not depend on the order in which flows are known.
RC_GTEST_PROP(MaxMinProperty, RatesDoNotDependOnTheOrderOfTheFlows, ()) {
  const System system = draw_system();
  const std::vector<double> rates = max_min_rates(system.capacities, system.flows);
  std::vector<std::size_t> order(rates.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(*rc::gen::arbitrary<std::uint32_t>()));
  std::vector<FlowDemand> shuffled;
  for (const std::size_t flow : order) shuffled.push_back(system.flows[flow]);
  const std::vector<double> again = max_min_rates(system.capacities, shuffled);
  for (std::size_t place = 0; place < order.size(); ++place) RC_ASSERT(again[place] == rates[order[place]]);
}

// Flows that come and go leave no trace: what is active has the rates that it has alone.
RC_GTEST_PROP(MaxMinProperty, RatesDoNotDependOnWhatWentBefore, ()) {
  const System system = draw_system();
  FairSharing sharing(system.capacities);
  for (const FlowDemand& flow : system.flows) {
    std::vector<FairSharing::Use> uses;
    for (const FlowDemand::Use& use : flow.uses)
      uses.push_back({use.resource, use.weight, use.replicated ? 1 : flow.multiplicity});
    sharing.add_flow(flow.rate_limit, uses);
  }
  sharing.seal();
  std::vector<bool> active(system.flows.size());
  for (int change = *rc::gen::inRange(1, 30); change > 0; --change) {
    const auto flow = *rc::gen::inRange<FlowId>(0, static_cast<FlowId>(active.size()));
    active[flow] ? sharing.end(flow) : sharing.start(flow);
    active[flow] = !active[flow];
    if (*rc::gen::inRange(0, 3) > 0) sharing.settle();
  }
  sharing.settle();
  std::vector<FlowDemand> left;
  for (std::size_t flow = 0; flow < active.size(); ++flow)
    if (active[flow]) left.push_back(system.flows[flow]);
  const std::vector<double> expected = max_min_rates(system.capacities, left);
  std::size_t next = 0;
  for (FlowId flow = 0; flow < active.size(); ++flow)
    if (active[flow])
      RC_ASSERT(std::abs(sharing.rate(flow) - expected[next++]) <= tolerance * sharing.rate(flow));
}

}  // namespace
}  // namespace paceline
