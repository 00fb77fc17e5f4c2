#include "sim/engine/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace paceline {
namespace {

// How many of the identical flows of a communication cross one copy of a resource. Mirrors `unfold`.
double flows_per_copy(const Program& program, const Communication& communication, const Resource& resource) {
  const std::uint32_t copies = resource.owner == no_id ? 1 : program.ranks[resource.owner].multiplicity;
  if (communication.instances % copies == 0) return communication.instances / copies;
  if (copies % communication.instances == 0) return 1;
  throw std::logic_error(
      fmt::format("{} instances of a communication cannot be spread evenly over {} copies of {}",
                  communication.instances, copies, resource.name));
}

FairSharing make_sharing(const Program& program) {
  std::vector<double> capacities;
  capacities.reserve(program.resources.size());
  for (const Resource& resource : program.resources) capacities.push_back(resource.capacity.value());
  FairSharing sharing(capacities);
  std::size_t use_count = 0;
  std::size_t most_uses = 0;
  for (const Communication& communication : program.communications) {
    use_count += communication.uses.size();
    most_uses = std::max(most_uses, communication.uses.size());
  }
  sharing.reserve(program.communications.size(), use_count);
  std::vector<FairSharing::Use> uses;
  uses.reserve(most_uses);
  for (const Communication& communication : program.communications) {
    uses.clear();
    // One without bytes never moves any.
    if (communication.wire_bytes.value() > 0)
      for (const ResourceUse& use : communication.uses)
        uses.push_back({use.resource, use.weight,
                        flows_per_copy(program, communication, program.resources[use.resource])});
    sharing.add_flow(communication.rate.value(), uses);
  }
  sharing.seal();
  return sharing;
}

}  // namespace

Transfers::Transfers(const Program& program, const Graph& graph, TimerQueue& timers)
    : program_(program),
      sharing_(make_sharing(program)),
      timers_(timers),
      transfers_(program.communications.size()),
      all_present_(program.communications.size()) {
  for (CommunicationId id = 0; id < transfers_.size(); ++id) {
    transfers_[id].missing = static_cast<std::uint32_t>(graph.members(id).size());
    // One that slows kernels down has to tell them in time.
    transfers_[id].is_independent =
        program.communications[id].compute_slowdown == 0 && sharing_.is_exclusive(id);
  }
}

bool Transfers::arrive(CommunicationId id, double time) {
  all_present_[id] = std::max(all_present_[id], time);
  return --transfers_[id].missing == 0;
}

double Transfers::transfer_start(CommunicationId id) const {
  const Communication& communication = program_.communications[id];
  return all_present_[id] + (communication.arrival_spread + communication.latency).value();
}

double Transfers::independent_end(CommunicationId id) const {
  const double bytes = wire_bytes(id);
  return transfer_start(id) + (bytes > 0 ? bytes / sharing_.rate_alone(id) : 0);
}

void Transfers::begin(CommunicationId id) {
  const Communication& communication = program_.communications[id];
  if (communication.compute_slowdown > 0) {
    transfers_[id].phase = Phase::spread;
    timers_.set(id, all_present_[id] + communication.arrival_spread.value());
  } else {
    transfers_[id].phase = Phase::latency;
    timers_.set(id, transfer_start(id));
  }
}

Transfers::Event Transfers::fire(CommunicationId id, double now) {
  Transfer& transfer = transfers_[id];
  if (transfer.phase == Phase::spread) {
    transfer.phase = Phase::latency;
    timers_.set(id, transfer_start(id));
    return Event::spread_over;
  }
  if (transfer.phase == Phase::latency && wire_bytes(id) > 0) {
    transfer.phase = Phase::transfer;
    transfer.remaining = wire_bytes(id);
    transfer.since = now;
    sharing_.start(id);  // sets its timer when the moment settles
    return Event::transfer_started;
  }
  if (transfer.phase == Phase::transfer) sharing_.end(id);
  transfer.phase = Phase::done;
  return Event::ended;
}

void Transfers::settle(double now) {
  for (const CommunicationId id : sharing_.settle()) {
    Transfer& transfer = transfers_[id];
    transfer.remaining = std::max(0.0, transfer.remaining - transfer.rate * (now - transfer.since));
    transfer.since = now;
    transfer.rate = sharing_.rate(id);
    timers_.set(id, now + transfer.remaining / transfer.rate);
  }
}

}  // namespace paceline
