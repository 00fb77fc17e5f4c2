#include "sim/engine/progressive_filling.h"

#include <algorithm>
#include <limits>

namespace paceline {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
constexpr double unknown = -1;

constexpr auto later = [](const auto& a, const auto& b) { return a.rate > b.rate; };

template <class Heap>
void drop_first(Heap& heap) {
  std::pop_heap(heap.begin(), heap.end(), later);
  heap.pop_back();
}

}  // namespace

void ProgressiveFilling::reserve(const FlowTable& table) {
  rates_.resize(table.flow_count());
  resources_.resize(table.resource_count());
  full_.reserve(table.resource_count());
  charged_.reserve(table.resource_count());
  limits_.reserve(table.flow_count());
  frozen_.reserve(table.flow_count());
}

void ProgressiveFilling::solve(FlowTable& table, std::span<const FlowId> flows,
                               std::span<const std::uint32_t> resources) {
  begin(table, flows, resources);
  double level = 0;
  std::size_t charged = 0;  // of the frozen flows
  while (true) {
    // Levels rise; where rounding has it that a resource is full a little earlier, it is full now.
    level = std::max(level, std::min(next_full(), next_limit()));
    freeze_at(level, table);
    if (frozen_.size() == flows.size()) break;
    charge(level, table, std::span(frozen_).subspan(charged));
    charged = frozen_.size();
  }
  for (const FlowId flow : std::span(frozen_).first(charged))
    for (const FlowUse& use : table.uses(flow)) table.put_back(use);
}

void ProgressiveFilling::begin(const FlowTable& table, std::span<const FlowId> flows,
                               std::span<const std::uint32_t> resources) {
  frozen_.clear();
  full_.clear();
  limits_.clear();
  for (const FlowId flow : flows) {
    rates_[flow] = unknown;
    limits_.push_back({table.limit(flow), flow});
  }
  for (const std::uint32_t id : resources) {
    const double capacity = table.capacity(id);
    resources_[id] = {.left = capacity, .full_at = capacity / table.load(id)};
    full_.push_back({resources_[id].full_at, id});
  }
  std::make_heap(limits_.begin(), limits_.end(), later);
  std::make_heap(full_.begin(), full_.end(), later);
}

// The lowest level at which a resource is full; the heap's first is that resource.
double ProgressiveFilling::next_full() {
  while (!full_.empty()) {
    const Level first = full_.front();
    const double now = resources_[first.id].full_at;
    if (now == first.rate) return now;
    drop_first(full_);
    if (now == none) continue;  // none of its flows gets any faster
    full_.push_back({now, first.id});
    std::push_heap(full_.begin(), full_.end(), later);
  }
  return none;
}

double ProgressiveFilling::next_limit() {
  while (!limits_.empty() && rates_[limits_.front().id] != unknown) drop_first(limits_);
  return limits_.empty() ? none : limits_.front().rate;
}

void ProgressiveFilling::freeze_at(double level, const FlowTable& table) {
  const double reached = level * nearly;
  while (next_full() <= reached && !full_.empty()) {
    for (const std::uint32_t use : table.active_uses(full_.front().id)) {
      const FlowId flow = table.flow_of(use);
      freeze(flow, held_by(table.limit(flow), level));
    }
    drop_first(full_);
  }
  for (; !limits_.empty() && limits_.front().rate <= reached; drop_first(limits_))
    freeze(limits_.front().id, limits_.front().rate);
}

void ProgressiveFilling::freeze(FlowId flow, double rate) {
  if (rates_[flow] != unknown) return;
  rates_[flow] = rate;
  frozen_.push_back(flow);
}

// Takes what the flows that have just stayed behind use from their resources.
void ProgressiveFilling::charge(double level, FlowTable& table, std::span<const FlowId> frozen) {
  charged_.clear();
  for (const FlowId flow : frozen) {
    for (const FlowUse& use : table.uses(flow)) {
      ResourceState& resource = resources_[use.resource];
      if (resource.load_before == 0) {
        resource.load_before = table.load(use.resource);
        charged_.push_back(use.resource);
      }
      table.take_out(use);
    }
  }
  for (const std::uint32_t id : charged_) {
    ResourceState& resource = resources_[id];
    const double load = table.load(id);
    resource.left = std::max(0.0, resource.left - level * (resource.load_before - load));
    resource.full_at = load > 0 ? std::max(resource.full_at, resource.left / load) : none;
    resource.load_before = 0;
  }
}

}  // namespace paceline
