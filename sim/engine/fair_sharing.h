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

#include "sim/engine/flow_table.h"
#include "sim/engine/progressive_filling.h"

namespace paceline {

class FairSharing {
 public:
  using FlowId = paceline::FlowId;
  struct Use {
    std::uint32_t resource = 0;
    double weight = 1;
    double count = 1;
  };

  explicit FairSharing(const std::vector<double>& capacities) : table_(capacities) {}
  void reserve(std::size_t flow_count, std::size_t use_count) { table_.reserve(flow_count, use_count); }
  // Uses of weight 0 are left out, several uses of one resource put together.
  FlowId add_flow(double limit, std::span<const Use> uses);
  // After the last flow was added.
  void seal();

  // No other flow uses any of its resources, whether it is active or not.
  [[nodiscard]] bool is_exclusive(FlowId flow) const { return table_.is_exclusive(flow); }
  [[nodiscard]] double rate_alone(FlowId flow) const;

  void start(FlowId flow);
  void end(FlowId flow);
  // Rates after the starts and ends since the last call; returns the flows whose rate is another than before.
  std::span<const FlowId> settle();
  [[nodiscard]] double rate(FlowId flow) const { return rates_[flow]; }

 private:
  void settle_from(FlowId seed);
  void gather_linked(FlowId seed);
  void link(FlowId flow);
  void set_rate(FlowId flow, double rate);

  FlowTable table_;
  ProgressiveFilling filling_;
  std::vector<double> rates_;  // by flow

  std::vector<FlowId> started_;
  std::vector<std::uint32_t> released_;  // resources that a flow left and others still use
  std::vector<FlowId> changed_;

  std::uint32_t settling_ = 0;                            // number of this call of settle
  std::vector<std::uint32_t> flow_seen_, resource_seen_;  // last call of settle that looked at it
  std::vector<FlowId> linked_;
  std::vector<std::uint32_t> linked_resources_;
};

}  // namespace paceline
