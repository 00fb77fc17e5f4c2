// Max-min fair rates against SimGrid's solver (Casanova et al., "Versatile, Scalable, and Accurate Simulation
// of Distributed Applications and Platforms", 2014), which was written apart from ours.
//
// Each set of flows is a network of its own: links that are shared, and for each flow a pair of hosts whose
// route is the links that it uses. With the model CM02, no latency and no corrections for TCP, SimGrid gives
// equal weight to all flows. All flows of a set start together; what one has moved after a while, while none
// has ended, is its rate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <simgrid/s4u.hpp>

#include "sim/engine/engine.h"

namespace paceline {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t set_count = 300;
constexpr double tolerance = 1e-6;
constexpr double measured_seconds = 10;
constexpr double payload = 1e13;  // no flow moves that much meanwhile
constexpr double no_limit = std::numeric_limits<double>::infinity();

struct FlowSet {
  std::vector<double> capacities;
  std::vector<FlowDemand> flows;
};

FlowSet random_set(std::mt19937& random) {
  const auto draw = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  const auto draw_rate = [&](double most) {
    return std::uniform_real_distribution<double>(1e7, most)(random);
  };
  FlowSet set;
  set.capacities.resize(static_cast<std::size_t>(draw(1, 12)));
  for (double& capacity : set.capacities) capacity = draw_rate(2e11);
  const int kinds = draw(1, 20);
  for (int kind = 0; kind < kinds; ++kind) {
    FlowDemand flow{.rate_limit = draw(0, 2) == 0 ? draw_rate(5e10) : no_limit,
                    .multiplicity = static_cast<double>(draw(0, 3) == 0 ? draw(2, 5) : 1),
                    .uses = {}};
    std::vector<std::uint32_t> links(set.capacities.size());
    for (std::uint32_t link = 0; link < links.size(); ++link) links[link] = link;
    std::shuffle(links.begin(), links.end(), random);
    links.resize(static_cast<std::size_t>(draw(1, std::min<int>(4, static_cast<int>(links.size())))));
    for (const std::uint32_t link : links)
      flow.uses.push_back(
          {.resource = link, .weight = static_cast<double>(draw(0, 4) == 0 ? draw(2, 3) : 1)});
    set.flows.push_back(std::move(flow));
  }
  return set;
}

struct HostPair {
  s4u::Host *from, *to;
};

s4u::Link* add_link(s4u::NetZone* zone, const std::string& name, double capacity) {
  s4u::Link* link = zone->create_link(name, capacity);
  link->set_sharing_policy(s4u::Link::SharingPolicy::SHARED)->set_latency(0)->seal();
  return link;
}

// One pair for every flow that is written out, in the order of the flows. A link of weight w stands w times
// in a route, and a limit is a link of the flow's own: SimGrid does not keep to the rate of a flow between
// two hosts that no actor sends.
std::vector<HostPair> build(const FlowSet& set, const std::string& name, const s4u::NetZone* root) {
  s4u::NetZone* zone = s4u::create_full_zone(name);
  zone->set_parent(root);
  std::vector<s4u::LinkInRoute> links;
  for (const double capacity : set.capacities)
    links.emplace_back(add_link(zone, name + " link " + std::to_string(links.size()), capacity));
  std::vector<HostPair> pairs;
  for (const FlowDemand& flow : set.flows) {
    std::vector<s4u::LinkInRoute> route;
    for (const FlowDemand::Use& use : flow.uses)
      route.insert(route.end(), static_cast<std::size_t>(use.weight), links[use.resource]);
    for (double each = 0; each < flow.multiplicity; ++each) {
      const std::string pair = name + " pair " + std::to_string(pairs.size());
      s4u::Host* from = zone->create_host(pair + " from", 1e9)->seal();
      s4u::Host* to = zone->create_host(pair + " to", 1e9)->seal();
      std::vector<s4u::LinkInRoute> limited = route;
      if (flow.rate_limit < no_limit) limited.emplace_back(add_link(zone, pair + " limit", flow.rate_limit));
      zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, limited, false);
      pairs.push_back({from, to});
    }
  }
  zone->seal();
  return pairs;
}

std::vector<double> measured_rates(const std::vector<HostPair>& pairs) {
  std::vector<s4u::CommPtr> flows;
  for (const HostPair& pair : pairs) {
    flows.push_back(s4u::Comm::sendto_init(pair.from, pair.to));
    flows.back()->set_payload_size(static_cast<std::uint64_t>(payload))->start();
  }
  s4u::this_actor::sleep_for(measured_seconds);
  std::vector<double> rates;
  for (const s4u::CommPtr& flow : flows)
    rates.push_back((payload - flow->get_remaining()) / measured_seconds);
  for (const s4u::CommPtr& flow : flows) flow->cancel();
  return rates;
}

std::vector<std::vector<double>> simgrid_rates(const std::vector<FlowSet>& sets) {
  std::vector<std::string> words{"simgrid_test",
                                 "--cfg=network/model:CM02",
                                 "--cfg=network/TCP-gamma:0",
                                 "--cfg=network/weight-S:0",
                                 "--cfg=network/bandwidth-factor:1",
                                 "--cfg=network/latency-factor:1",
                                 "--cfg=network/crosstraffic:0",
                                 "--cfg=maxmin/precision:1e-12",
                                 "--log=root.thres:warning"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  auto count = static_cast<int>(arguments.size());
  s4u::Engine engine(&count, arguments.data());
  s4u::NetZone* root = s4u::create_full_zone("all sets");
  std::vector<std::vector<HostPair>> pairs;
  for (const FlowSet& set : sets) pairs.push_back(build(set, "set " + std::to_string(pairs.size()), root));
  s4u::Host* observer = root->create_host("observer", 1e9)->seal();
  root->seal();
  std::vector<std::vector<double>> rates;
  s4u::Actor::create("observer", observer, [&] {
    for (const std::vector<HostPair>& set : pairs) rates.push_back(measured_rates(set));
  });
  engine.run();
  return rates;
}

TEST(SimGrid, FindsTheSameMaxMinRatesForRandomFlows) {
  std::mt19937 random(20);
  std::vector<FlowSet> sets;
  for (std::size_t set = 0; set < set_count; ++set) sets.push_back(random_set(random));
  const std::vector<std::vector<double>> theirs = simgrid_rates(sets);
  ASSERT_EQ(theirs.size(), sets.size());
  double largest = 0;
  std::size_t compared = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const std::vector<double> ours = max_min_rates(sets[set].capacities, sets[set].flows);
    std::size_t pair = 0;
    for (std::size_t flow = 0; flow < ours.size(); ++flow) {
      for (double each = 0; each < sets[set].flows[flow].multiplicity; ++each, ++pair) {
        EXPECT_NEAR(ours[flow] / theirs[set].at(pair), 1, tolerance) << "set " << set << ", flow " << flow;
        largest = std::max(largest, std::abs(ours[flow] / theirs[set][pair] - 1));
      }
    }
    EXPECT_EQ(pair, theirs[set].size());
    compared += pair;
  }
  RecordProperty("flows", static_cast<int>(compared));
  RecordProperty("largest_relative_difference", std::to_string(largest * 1e9) + "e-9");
  std::cout << compared << " flows, largest relative difference " << largest << '\n';
}

}  // namespace
}  // namespace paceline
