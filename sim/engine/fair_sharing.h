// Which transfer moves how fast. Rates are max-min fair: no transfer can go faster unless one that is no
// faster goes slower. For the rates x of the flows f that are active
//
//   for each resource r:  sum over f of  count(f, r) * weight(f, r) * x(f)  <=  capacity(r)
//   for each flow f:      x(f)  <=  limit(f)
//
// and every flow is held by its limit or by a full resource on which none is faster (progressive filling: all
// flows get faster together; those that meet a limit or a full resource stay behind).
//
// count(f, r) is how many identical flows cross one copy of r. Sums count flows of equal weight before they
// multiply, so one flow that stands for k gets the same rate, to the last bit, as k flows written out.
//
// Rates are only worked out again for the flows that are linked, over shared resources, to one that started
// or ended. Nothing allocates after `seal`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

class FairSharing {
 public:
  using FlowId = std::uint32_t;
  struct Use {
    std::uint32_t resource = 0;
    double weight = 1;
    double count = 1;
  };

  explicit FairSharing(const std::vector<double>& capacities);
  void reserve(std::size_t flow_count, std::size_t use_count);
  // Uses of weight 0 are left out, several uses of one resource put together.
  FlowId add_flow(double limit, std::span<const Use> uses);
  // After the last flow was added.
  void seal();

  // No other flow uses any of its resources, whether it is active or not.
  [[nodiscard]] bool is_exclusive(FlowId flow) const;
  [[nodiscard]] double rate_alone(FlowId flow) const;

  void start(FlowId flow);
  void end(FlowId flow);
  // Rates after the starts and ends since the last call; returns the flows whose rate is another than before.
  std::span<const FlowId> settle();
  [[nodiscard]] double rate(FlowId flow) const { return flows_[flow].rate; }

 private:
  struct FlowUse {
    std::uint32_t resource;
    FlowId flow;
    double weight;
    double count;
  };
  struct Flow {
    double limit = 0;
    double rate = 0;
    std::uint32_t first_use = 0;
    std::uint32_t round = 0;    // of progressive filling in which its rate was found; 0: not yet
    std::uint32_t settled = 0;  // last call of settle that looked at it
    bool active = false;
  };
  struct ResourceState {
    double capacity = 0;
    std::uint32_t first_slot = 0;
    std::uint32_t active = 0;  // flows; their slots come first, in the order of (weight, flow)
    std::uint32_t settled = 0;
    std::uint32_t touched = 0;  // last round that froze a flow on it
    double left = 0;            // capacity not yet given away in this solution
    double load = 0;            // by the flows that are still filling
  };

  [[nodiscard]] std::span<const FlowUse> uses(FlowId flow) const;
  [[nodiscard]] std::span<const std::uint32_t> active_uses(const ResourceState& resource) const;
  [[nodiscard]] bool is_alone(FlowId flow) const;
  [[nodiscard]] double load_in_round(const ResourceState& resource, std::uint32_t round) const;
  void settle_from(FlowId seed);
  void gather_linked(FlowId seed);
  [[nodiscard]] double next_level(double level) const;
  void freeze(FlowId flow, double level);
  void freeze_at(double level);
  void charge(double level);
  void set_rate(FlowId flow, double rate);

  std::vector<Flow> flows_;  // one more than there are flows, once sealed
  std::vector<FlowUse> uses_;
  std::vector<ResourceState> resources_;
  std::vector<std::uint32_t> slots_;  // of each resource: indices into uses_
  std::vector<std::uint32_t>
      merged_;  // by resource, while flows are added: place of the use in uses_, plus 1

  std::vector<FlowId> started_;
  std::vector<std::uint32_t> released_;  // resources that a flow left and others still use
  std::vector<FlowId> changed_;
  std::uint32_t settling_ = 0;  // number of this call of settle
  // The solution being worked out.
  std::vector<FlowId> linked_;
  std::vector<FlowId> filling_;
  std::vector<std::uint32_t> linked_resources_;
  std::vector<FlowId> frozen_;
  std::uint32_t round_ = 0;
};

}  // namespace paceline
