#include "sim/engine/flow_table.h"

#include <algorithm>

namespace paceline {

FlowTable::FlowTable(const std::vector<double>& capacities) : merged_(capacities.size()) {
  resources_.reserve(capacities.size() + 1);
  for (const double capacity : capacities) resources_.push_back({.capacity = capacity});
}

void FlowTable::reserve(std::size_t flow_count, std::size_t use_count) {
  flows_.reserve(flow_count + 1);
  uses_.reserve(use_count);
}

FlowId FlowTable::add_flow(double limit) {
  flows_.push_back({.limit = limit, .first_use = static_cast<std::uint32_t>(uses_.size())});
  return static_cast<FlowId>(flows_.size() - 1);
}

void FlowTable::add_use(std::uint32_t resource, double weight, double count) {
  if (weight <= 0) return;
  if (merged_[resource] > flows_.back().first_use) {
    uses_[merged_[resource] - 1].weight += weight;
    return;
  }
  const auto flow = static_cast<FlowId>(flows_.size() - 1);
  uses_.push_back({.resource = resource, .flow = flow, .weight = weight, .count = count});
  merged_[resource] = static_cast<std::uint32_t>(uses_.size());
}

void FlowTable::seal() {
  flows_.push_back({.first_use = static_cast<std::uint32_t>(uses_.size())});
  resources_.emplace_back();
  merged_ = {};
  for (const FlowUse& use : uses_) ++resources_[use.resource + 1].first_slot;
  for (std::size_t id = 1; id < resources_.size(); ++id)
    resources_[id].first_slot += resources_[id - 1].first_slot;
  slots_.resize(uses_.size());
  for (std::uint32_t use = 0; use < uses_.size(); ++use) {
    ResourceState& resource = resources_[uses_[use].resource];
    slots_[resource.first_slot + resource.active++] = use;
  }
  loads_.reserve(resource_count());
  for (std::uint32_t resource = 0; resource < resource_count(); ++resource) number_weights(resource);
  loads_.seal();
}

// Until here all uses stand in the slots of their resource; from here on the active ones do.
void FlowTable::number_weights(std::uint32_t resource) {
  const auto begin = slots_.begin() + resources_[resource].first_slot;
  const auto end = begin + resources_[resource].active;
  const auto lighter = [this](std::uint32_t a, std::uint32_t b) { return uses_[a].weight < uses_[b].weight; };
  if (!std::is_sorted(begin, end, lighter)) std::sort(begin, end, lighter);  // mostly all weigh the same
  std::uint32_t weights = 0;
  for (auto use = begin; use != end; ++use) {
    if (use == begin || uses_[*use].weight != uses_[*(use - 1)].weight) ++weights;
    uses_[*use].weight_place = weights - 1;
  }
  loads_.add_resource(weights);
  resources_[resource].active = 0;
}

bool FlowTable::is_exclusive(FlowId flow) const {
  const std::span<const FlowUse> all = uses(flow);
  return std::all_of(all.begin(), all.end(), [this](const FlowUse& use) {
    return resources_[use.resource + 1].first_slot - resources_[use.resource].first_slot == 1;
  });
}

bool FlowTable::is_alone(FlowId flow) const {
  const std::span<const FlowUse> all = uses(flow);
  return std::all_of(all.begin(), all.end(),
                     [this](const FlowUse& use) { return resources_[use.resource].active == 1; });
}

void FlowTable::start(FlowId flow) {
  flows_[flow].active = true;
  for (std::uint32_t number = flows_[flow].first_use; number < flows_[flow + 1].first_use; ++number) {
    FlowUse& use = uses_[number];
    ResourceState& resource = resources_[use.resource];
    use.slot = resource.first_slot + resource.active++;
    slots_[use.slot] = number;
    put_back(use);
  }
}

void FlowTable::end(FlowId flow) {
  flows_[flow].active = false;
  for (std::uint32_t number = flows_[flow].first_use; number < flows_[flow + 1].first_use; ++number) {
    const FlowUse& use = uses_[number];
    ResourceState& resource = resources_[use.resource];
    const std::uint32_t last = slots_[resource.first_slot + --resource.active];
    slots_[use.slot] = last;
    uses_[last].slot = use.slot;
    take_out(use);
  }
}

}  // namespace paceline
