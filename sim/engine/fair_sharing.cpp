#include "sim/engine/fair_sharing.h"

#include <algorithm>
#include <limits>

namespace paceline {
namespace {

// A planner that derives a rate from a capacity may round it upwards: limits and levels this near count as
// equal.
constexpr double nearly = 1 + 1e-12;

}  // namespace

FairSharing::FairSharing(const std::vector<double>& capacities) : merged_(capacities.size()) {
  resources_.reserve(capacities.size() + 1);
  for (const double capacity : capacities) resources_.push_back({.capacity = capacity});
}

void FairSharing::reserve(std::size_t flow_count, std::size_t use_count) {
  flows_.reserve(flow_count + 1);
  uses_.reserve(use_count);
}

FairSharing::FlowId FairSharing::add_flow(double limit, std::span<const Use> uses) {
  const auto id = static_cast<FlowId>(flows_.size());
  const auto first_use = static_cast<std::uint32_t>(uses_.size());
  flows_.push_back({.limit = limit, .first_use = first_use});
  for (const Use& use : uses) {
    if (use.weight <= 0) continue;
    if (merged_[use.resource] > first_use) {
      uses_[merged_[use.resource] - 1].weight += use.weight;
      continue;
    }
    uses_.push_back({use.resource, id, use.weight, use.count});
    merged_[use.resource] = static_cast<std::uint32_t>(uses_.size());
  }
  return id;
}

void FairSharing::seal() {
  const std::size_t flow_count = flows_.size();
  flows_.push_back({.first_use = static_cast<std::uint32_t>(uses_.size())});
  resources_.emplace_back();
  for (const FlowUse& use : uses_) ++resources_[use.resource + 1].first_slot;
  for (std::size_t id = 1; id < resources_.size(); ++id)
    resources_[id].first_slot += resources_[id - 1].first_slot;
  slots_.resize(uses_.size());
  merged_ = {};
  started_.reserve(flow_count);
  released_.reserve(uses_.size());
  changed_.reserve(flow_count);
  linked_.reserve(flow_count);
  filling_.reserve(flow_count);
  linked_resources_.reserve(resources_.size());
  frozen_.reserve(flow_count);
}

std::span<const FairSharing::FlowUse> FairSharing::uses(FlowId flow) const {
  const std::uint32_t begin = flows_[flow].first_use;
  return std::span(uses_).subspan(begin, flows_[flow + 1].first_use - begin);
}

std::span<const std::uint32_t> FairSharing::active_uses(const ResourceState& resource) const {
  return std::span(slots_).subspan(resource.first_slot, resource.active);
}

bool FairSharing::is_exclusive(FlowId flow) const {
  const std::span<const FlowUse> all = uses(flow);
  return std::all_of(all.begin(), all.end(), [this](const FlowUse& use) {
    return resources_[use.resource + 1].first_slot - resources_[use.resource].first_slot == 1;
  });
}

bool FairSharing::is_alone(FlowId flow) const {
  const std::span<const FlowUse> all = uses(flow);
  return std::all_of(all.begin(), all.end(),
                     [this](const FlowUse& use) { return resources_[use.resource].active == 1; });
}

double FairSharing::rate_alone(FlowId flow) const {
  double level = std::numeric_limits<double>::infinity();
  for (const FlowUse& use : uses(flow))
    level = std::min(level, resources_[use.resource].capacity / (use.weight * use.count));
  return flows_[flow].limit <= level * nearly ? flows_[flow].limit : level;
}

void FairSharing::start(FlowId flow) {
  flows_[flow].active = true;
  flows_[flow].rate = 0;
  started_.push_back(flow);
  for (std::uint32_t index = flows_[flow].first_use; index < flows_[flow + 1].first_use; ++index) {
    ResourceState& resource = resources_[uses_[index].resource];
    std::uint32_t slot = resource.first_slot + resource.active++;
    const auto belongs_before = [&](const FlowUse& other) {
      return uses_[index].weight < other.weight || (uses_[index].weight == other.weight && flow < other.flow);
    };
    for (; slot > resource.first_slot && belongs_before(uses_[slots_[slot - 1]]); --slot)
      slots_[slot] = slots_[slot - 1];
    slots_[slot] = index;
  }
}

void FairSharing::end(FlowId flow) {
  flows_[flow].active = false;
  for (std::uint32_t index = flows_[flow].first_use; index < flows_[flow + 1].first_use; ++index) {
    ResourceState& resource = resources_[uses_[index].resource];
    const auto begin = slots_.begin() + resource.first_slot;
    const auto end = begin + resource.active;
    const auto place = std::find(begin, end, index);
    std::copy(place + 1, end, place);
    if (--resource.active > 0) released_.push_back(uses_[index].resource);
  }
}

std::span<const FairSharing::FlowId> FairSharing::settle() {
  changed_.clear();
  if (started_.empty() && released_.empty()) return changed_;
  ++settling_;
  for (const FlowId flow : started_)
    if (flows_[flow].active) settle_from(flow);
  for (const std::uint32_t id : released_) {
    const std::span<const std::uint32_t> remaining = active_uses(resources_[id]);
    if (!remaining.empty()) settle_from(uses_[remaining.front()].flow);
  }
  started_.clear();
  released_.clear();
  return changed_;
}

void FairSharing::settle_from(FlowId seed) {
  if (flows_[seed].settled == settling_) return;
  if (is_alone(seed)) {
    flows_[seed].settled = settling_;
    set_rate(seed, rate_alone(seed));
    return;
  }
  gather_linked(seed);
  filling_.assign(linked_.begin(), linked_.end());
  double level = 0;
  for (round_ = 1; !filling_.empty(); ++round_) {
    level = next_level(level);
    freeze_at(level);
    charge(level);
  }
}

void FairSharing::gather_linked(FlowId seed) {
  linked_.clear();
  linked_resources_.clear();
  const auto link = [this](FlowId flow) {
    if (flows_[flow].settled == settling_) return;
    flows_[flow].settled = settling_;
    flows_[flow].round = 0;
    linked_.push_back(flow);
  };
  link(seed);
  for (std::size_t next = 0; next < linked_.size(); ++next) {
    for (const FlowUse& use : uses(linked_[next])) {
      ResourceState& resource = resources_[use.resource];
      if (resource.settled == settling_) continue;
      resource.settled = settling_;
      for (const std::uint32_t index : active_uses(resource)) link(uses_[index].flow);
      resource.left = resource.capacity;
      resource.load = load_in_round(resource, 0);
      resource.touched = 0;
      linked_resources_.push_back(use.resource);
    }
  }
}

double FairSharing::load_in_round(const ResourceState& resource, std::uint32_t round) const {
  double sum = 0;
  double weight = 0;
  double count = 0;
  for (const std::uint32_t index : active_uses(resource)) {
    const FlowUse& use = uses_[index];
    if (flows_[use.flow].round != round) continue;
    if (use.weight != weight) {
      sum += weight * count;
      weight = use.weight;
      count = 0;
    }
    count += use.count;
  }
  return sum + weight * count;
}

// Levels rise; where rounding has it that a resource is full a little earlier, it is full now.
double FairSharing::next_level(double level) const {
  double next = std::numeric_limits<double>::infinity();
  for (const std::uint32_t id : linked_resources_)
    if (resources_[id].load > 0) next = std::min(next, resources_[id].left / resources_[id].load);
  for (const FlowId flow : filling_) next = std::min(next, flows_[flow].limit);
  return std::max(level, next);
}

void FairSharing::freeze(FlowId flow, double level) {
  if (flows_[flow].round != 0) return;
  flows_[flow].round = round_;
  frozen_.push_back(flow);
  set_rate(flow, flows_[flow].limit <= level * nearly ? flows_[flow].limit : level);
}

void FairSharing::freeze_at(double level) {
  frozen_.clear();
  for (const std::uint32_t id : linked_resources_) {
    const ResourceState& resource = resources_[id];
    if (resource.load > 0 && resource.left / resource.load <= level * nearly)
      for (const std::uint32_t index : active_uses(resource)) freeze(uses_[index].flow, level);
  }
  for (const FlowId flow : filling_)
    if (flows_[flow].limit <= level * nearly) freeze(flow, level);
  std::erase_if(filling_, [this](FlowId flow) { return flows_[flow].round != 0; });
}

// Takes what the flows frozen in this round use from their resources.
void FairSharing::charge(double level) {
  for (const FlowId flow : frozen_) {
    for (const FlowUse& use : uses(flow)) {
      ResourceState& resource = resources_[use.resource];
      if (resource.touched == round_) continue;
      resource.touched = round_;
      resource.left = std::max(0.0, resource.left - level * load_in_round(resource, round_));
      resource.load = load_in_round(resource, 0);
    }
  }
}

void FairSharing::set_rate(FlowId flow, double rate) {
  if (flows_[flow].rate == rate) return;
  flows_[flow].rate = rate;
  changed_.push_back(flow);
}

}  // namespace paceline
