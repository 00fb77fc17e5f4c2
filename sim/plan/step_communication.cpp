// The communications of a step: their times and the links that they share.
#include "sim/plan/communication_kind.h"
#include "sim/plan/step_builder.h"

namespace paceline {
namespace {

Communication with_time(const CollectiveTime& time) {
  Communication communication;
  communication.latency = time.latency;
  communication.wire_bytes = time.wire;
  communication.rate = time.rate;
  communication.compute_slowdown = time.compute_slowdown;
  communication.algorithm = time.algorithm;
  communication.protocol = time.protocol;
  return communication;
}

}  // namespace

CommunicationId StepBuilder::add_collective(CollectiveKind kind, Bytes message,
                                            const std::vector<DeviceLane*>& lanes, Seconds arrival_spread) {
  const CollectiveGroup group{ranks_, request_.devices_per_node};
  Communication communication = with_time(request_.collectives.collective(kind, message, group));
  communication.kind = program_kind(kind);
  communication.message = message;
  communication.ranks = static_cast<std::uint32_t>(ranks_);
  communication.arrival_spread = arrival_spread;
  for (const DeviceLane* lane : lanes) links_.use_for_collective(program_, communication, lane->links);
  return program_.add_communication(std::move(communication));
}

CommunicationId StepBuilder::add_host_copy(const DeviceLane& lane, Bytes bytes, bool to_device) {
  Communication communication = with_time(request_.collectives.host_copy(bytes));
  communication.kind = CommunicationKind::copy;
  communication.message = bytes;
  communication.instances = program_.ranks[lane.rank].multiplicity;
  links_.use_for_host_copy(program_, communication, lane.links, to_device);
  return program_.add_communication(std::move(communication));
}

CommunicationId StepBuilder::add_peer_copies(Bytes bytes, const DeviceLane& one,
                                             const std::vector<DeviceLane*>& others, bool to_one) {
  const CollectiveTime time = request_.collectives.peer_copy(bytes, ranks_);
  Communication communication = with_time(time);
  communication.kind = CommunicationKind::copy;
  communication.message = bytes;
  communication.ranks = static_cast<std::uint32_t>(ranks_);
  communication.latency = time.latency * (ranks_ - 1);
  links_.use_for_peer_copy(program_, communication, one.links, to_one, 1);
  for (const DeviceLane* other : others)
    links_.use_for_peer_copy(program_, communication, other->links, !to_one, 1.0 / (ranks_ - 1));
  return program_.add_communication(std::move(communication));
}

}  // namespace paceline
