// Which flows use which resources, which of them are active, and what those take of each resource. Nothing
// allocates after `seal`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/load_sums.h"

namespace paceline {

using FlowId = std::uint32_t;

struct FlowUse {
  std::uint32_t resource = 0;
  FlowId flow = 0;
  double weight = 1;
  double count = 1;
  std::uint32_t weight_place = 0;  // of the weight among those of the resource
  std::uint32_t slot = 0;          // among the active uses of the resource, while it is one
};

class FlowTable {
 public:
  explicit FlowTable(const std::vector<double>& capacities);
  void reserve(std::size_t flow_count, std::size_t use_count);
  FlowId add_flow(double limit);
  // By the flow added last. A weight of 0 is left out, several uses of one resource are put together.
  void add_use(std::uint32_t resource, double weight, double count);
  // After the last flow was added.
  void seal();

  [[nodiscard]] std::size_t flow_count() const { return flows_.size() - 1; }
  [[nodiscard]] std::size_t use_count() const { return uses_.size(); }
  [[nodiscard]] std::size_t resource_count() const { return resources_.size() - 1; }
  [[nodiscard]] double limit(FlowId flow) const { return flows_[flow].limit; }
  [[nodiscard]] bool is_active(FlowId flow) const { return flows_[flow].active; }
  [[nodiscard]] double capacity(std::uint32_t resource) const { return resources_[resource].capacity; }

  [[nodiscard]] std::span<const FlowUse> uses(FlowId flow) const {
    const std::uint32_t begin = flows_[flow].first_use;
    return std::span(uses_).subspan(begin, flows_[flow + 1].first_use - begin);
  }
  // Numbers of the active uses of a resource, in no order that means something.
  [[nodiscard]] std::span<const std::uint32_t> active_uses(std::uint32_t resource) const {
    return std::span(slots_).subspan(resources_[resource].first_slot, resources_[resource].active);
  }
  [[nodiscard]] FlowId flow_of(std::uint32_t use) const { return uses_[use].flow; }

  // No other flow uses any of its resources: whether active or not; at present.
  [[nodiscard]] bool is_exclusive(FlowId flow) const;
  [[nodiscard]] bool is_alone(FlowId flow) const;

  void start(FlowId flow);
  void end(FlowId flow);

  // What the active flows take of a resource, by their rate; a solver may take flows out and put them back.
  [[nodiscard]] double load(std::uint32_t resource) const { return loads_.of(resource); }
  void take_out(const FlowUse& use) { change_load(use, -use.count); }
  void put_back(const FlowUse& use) { change_load(use, use.count); }

 private:
  struct Flow {
    double limit = 0;
    std::uint32_t first_use = 0;
    bool active = false;
  };
  struct ResourceState {
    double capacity = 0;
    std::uint32_t first_slot = 0;
    std::uint32_t active = 0;  // uses, in its first slots
  };
  void change_load(const FlowUse& use, double delta) {
    loads_.change(use.resource, use.weight_place, use.weight, delta);
  }
  void number_weights(std::uint32_t resource);

  std::vector<Flow> flows_;               // one more than there are flows, once sealed
  std::vector<FlowUse> uses_;             // by flow
  std::vector<ResourceState> resources_;  // one more than there are, once sealed
  std::vector<std::uint32_t> slots_;      // by resource: numbers of uses
  std::vector<std::uint32_t> merged_;     // while flows are added, by resource: number of the use, plus 1
  LoadSums loads_;
};

}  // namespace paceline
