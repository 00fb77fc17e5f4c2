#include "sim/engine/fair_sharing.h"

#include <algorithm>
#include <limits>

namespace paceline {

FairSharing::FlowId FairSharing::add_flow(double limit, std::span<const Use> uses) {
  const FlowId id = table_.add_flow(limit);
  for (const Use& use : uses) table_.add_use(use.resource, use.weight, use.count);
  return id;
}

void FairSharing::seal() {
  table_.seal();
  filling_.reserve(table_);
  rates_.resize(table_.flow_count());
  flow_seen_.resize(table_.flow_count());
  resource_seen_.resize(table_.resource_count());
  started_.reserve(table_.flow_count());
  released_.reserve(table_.use_count());
  changed_.reserve(table_.flow_count());
  linked_.reserve(table_.flow_count());
  linked_resources_.reserve(table_.resource_count());
}

double FairSharing::rate_alone(FlowId flow) const {
  double level = std::numeric_limits<double>::infinity();
  for (const FlowUse& use : table_.uses(flow))
    level = std::min(level, table_.capacity(use.resource) / (use.weight * use.count));
  return ProgressiveFilling::held_by(table_.limit(flow), level);
}

void FairSharing::start(FlowId flow) {
  rates_[flow] = 0;
  table_.start(flow);
  started_.push_back(flow);
}

void FairSharing::end(FlowId flow) {
  table_.end(flow);
  for (const FlowUse& use : table_.uses(flow))
    if (!table_.active_uses(use.resource).empty()) released_.push_back(use.resource);
}

std::span<const FairSharing::FlowId> FairSharing::settle() {
  changed_.clear();
  if (started_.empty() && released_.empty()) return changed_;
  ++settling_;
  for (const FlowId flow : started_)
    if (table_.is_active(flow)) settle_from(flow);
  for (const std::uint32_t resource : released_) {
    const std::span<const std::uint32_t> remaining = table_.active_uses(resource);
    if (!remaining.empty()) settle_from(table_.flow_of(remaining.front()));
  }
  started_.clear();
  released_.clear();
  return changed_;
}

void FairSharing::settle_from(FlowId seed) {
  if (flow_seen_[seed] == settling_) return;
  if (table_.is_alone(seed)) {
    flow_seen_[seed] = settling_;
    set_rate(seed, rate_alone(seed));
    return;
  }
  gather_linked(seed);
  filling_.solve(table_, linked_, linked_resources_);
  for (const FlowId flow : linked_) set_rate(flow, filling_.rate(flow));
}

void FairSharing::gather_linked(FlowId seed) {
  linked_.clear();
  linked_resources_.clear();
  link(seed);
  for (std::size_t next = 0; next < linked_.size(); ++next) {
    for (const FlowUse& use : table_.uses(linked_[next])) {
      if (resource_seen_[use.resource] == settling_) continue;
      resource_seen_[use.resource] = settling_;
      linked_resources_.push_back(use.resource);
      for (const std::uint32_t other : table_.active_uses(use.resource)) link(table_.flow_of(other));
    }
  }
}

void FairSharing::link(FlowId flow) {
  if (flow_seen_[flow] == settling_) return;
  flow_seen_[flow] = settling_;
  linked_.push_back(flow);
}

void FairSharing::set_rate(FlowId flow, double rate) {
  if (rates_[flow] == rate) return;
  rates_[flow] = rate;
  changed_.push_back(flow);
}

}  // namespace paceline
