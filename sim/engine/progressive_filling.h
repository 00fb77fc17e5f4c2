// Max-min fair rates of a set of flows that is linked over shared resources: all flows get faster together;
// those that meet their limit or a full resource stay behind.
//
// How fast flows may go until a resource is full only rises while others stay behind, and so what was worked
// out earlier is a lower bound: resources wait in a heap by their last known level, and only the first is
// worked out anew. A solution costs n log n in the number n of uses of resources.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/flow_table.h"

namespace paceline {

class ProgressiveFilling {
 public:
  // After the table was sealed. Nothing else allocates.
  void reserve(const FlowTable& table);

  // `flows` are active, and with `resources` they are all that is linked to any of them. The table is left as
  // it was found.
  void solve(FlowTable& table, std::span<const FlowId> flows, std::span<const std::uint32_t> resources);
  // In the last solution that the flow was part of.
  [[nodiscard]] double rate(FlowId flow) const { return rates_[flow]; }

  // The rate of a flow with this limit when its resources let it have `level`.
  [[nodiscard]] static double held_by(double limit, double level) {
    return limit <= level * nearly ? limit : level;
  }

 private:
  // A planner that derives a rate from a capacity may round it upwards: limits and levels this near count as
  // equal.
  static constexpr double nearly = 1 + 1e-12;
  // How fast the flows are that reach their limit, or whose resource is full.
  struct Level {
    double rate;
    std::uint32_t id;
  };
  struct ResourceState {
    double left = 0;         // capacity that is not given away yet
    double full_at = 0;      // rate of the flows that get faster at which it is full; never falls
    double load_before = 0;  // this round, where one of its flows stays behind in it; else 0
  };
  void begin(const FlowTable& table, std::span<const FlowId> flows, std::span<const std::uint32_t> resources);
  [[nodiscard]] double next_full();
  [[nodiscard]] double next_limit();
  void freeze_at(double level, const FlowTable& table);
  void freeze(FlowId flow, double rate);
  void charge(double level, FlowTable& table, std::span<const FlowId> frozen);

  std::vector<double> rates_;  // by flow; below 0 while it is not known
  std::vector<ResourceState> resources_;
  std::vector<Level> full_, limits_;  // heaps, the lowest first; those of resources may have risen since
  std::vector<FlowId> frozen_;        // flows whose rate is known, in the order in which it was found
  std::vector<std::uint32_t> charged_;
};

}  // namespace paceline
