#include "sim/plan/split/split_lane.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/plan/communication_kind.h"

namespace paceline {
namespace {

// Replicas of a lane are its ranks in the order tensor, context, data.
std::uint32_t replica_stride(const Mesh& mesh, GroupKind kind) {
  const auto tensor = static_cast<std::uint32_t>(mesh.degrees().tensor);
  switch (kind) {
    case GroupKind::context:
    case GroupKind::data:
    case GroupKind::shards:
      return tensor;
    case GroupKind::replicas:
      return tensor * static_cast<std::uint32_t>(mesh.group(GroupKind::shards).size);
    case GroupKind::expert_data:
      return static_cast<std::uint32_t>(mesh.degrees().expert);
    default:
      return 1;
  }
}

Communication timed(const CollectiveTime& time, double share) {
  Communication communication;
  communication.latency = time.latency * share;
  communication.wire_bytes = time.wire * share;
  communication.rate = time.wire.value() > 0 ? time.rate : BytesPerSecond(1);
  communication.algorithm = time.algorithm;
  communication.protocol = time.protocol;
  return communication;
}

}  // namespace

SplitLanes::SplitLanes(Program& program, const SplitStep& step, const CollectiveCost& collectives)
    : program_(program), step_(step), collectives_(collectives) {}

SplitLane SplitLanes::add(int stage) {
  const Mesh& mesh = step_.mesh;
  SplitLane lane;
  lane.stage = stage;
  lane.ranks = static_cast<std::uint32_t>(mesh.ranks() / mesh.degrees().pipeline);
  const bool in_a_row = mesh.stage_stride() == static_cast<int>(lane.ranks);
  ProgramRank rank;
  rank.first_rank = mesh.first_rank_of_stage(stage);
  rank.multiplicity = lane.ranks;
  if (!in_a_row) {
    rank.rank_block = mesh.degrees().tensor * mesh.degrees().context;
    rank.rank_stride = rank.rank_block * mesh.degrees().pipeline;
  }
  const int last = rank.first_rank + static_cast<int>(lane.ranks) - 1;
  rank.name = lane.ranks == 1 ? fmt::format("GPU {}", rank.first_rank)
              : in_a_row      ? fmt::format("GPU {}-{}", rank.first_rank, last)
                              : fmt::format("GPU of stage {} (x{})", stage, lane.ranks);
  lane.rank = program_.add_rank(rank);
  lane.host = program_.add_stream({lane.rank, StreamKind::host, "python"});
  lane.compute = program_.add_stream({lane.rank, StreamKind::compute, "stream 7 (compute)"});
  const int in_node = std::min(mesh.ranks(), collectives_.cluster().devices_per_node);
  if (in_node > 1)
    lane.peers = program_.add_resource({"device link", collectives_.link_rate(in_node), lane.rank});
  if (mesh.group(GroupKind::world).nodes() > 1)
    lane.network = program_.add_resource(
        {"share of the node's network", collectives_.network_rate() / in_node, lane.rank});
  lane.group_streams.fill(no_id);
  for (auto& streams : lane.stage_streams) streams.fill(no_id);
  return lane;
}

StreamId SplitLanes::make_stream(const SplitLane& lane, const std::string& name) {
  return program_.add_stream(
      {lane.rank, StreamKind::communication, fmt::format("stream {} (NCCL {})", next_stream_++, name)});
}

StreamId SplitLanes::stream(SplitLane& lane, GroupKind group) {
  StreamId& stream = lane.group_streams[static_cast<std::size_t>(group)];
  if (stream == no_id) stream = make_stream(lane, std::string(to_string(group)));
  return stream;
}

StreamId SplitLanes::gather_stream(SplitLane& lane) {
  if (lane.gathers == no_id) lane.gathers = make_stream(lane, "parameters");
  return lane.gathers;
}

StreamId SplitLanes::stage_stream(SplitLane& lane, StageLink link, int chunk) {
  static constexpr std::array<const char*, stage_link_count> names{"send forward", "receive forward",
                                                                   "send backward", "receive backward"};
  // Chunks that run against each other must not wait in one queue.
  const bool opposed = step_.pipeline.schedule == PipelineSchedule::zero_bubble_v ||
                       step_.pipeline.schedule == PipelineSchedule::dual_pipe;
  StreamId& stream =
      lane.stage_streams[opposed ? static_cast<std::size_t>(chunk % 2) : 0][static_cast<std::size_t>(link)];
  if (stream == no_id) stream = make_stream(lane, names[static_cast<std::size_t>(link)]);
  return stream;
}

// Of what a rank sends in a group of m ranks on each node, each rank's part of the network carries an m-th.
void SplitLanes::use_links(Communication& communication, const SplitLane& lane,
                           const MeshGroup& group) const {
  const auto use = [&](ResourceId resource, double weight) {
    const double most = program_.resources[resource].capacity / communication.rate;
    communication.uses.push_back({resource, std::min(weight, most)});
  };
  const int local = std::max(1, std::min(group.size, group.per_node));
  if (lane.peers != no_id && local > 1) use(lane.peers, 1);
  if (lane.network != no_id && group.nodes() > 1) use(lane.network, 1.0 / local);
}

CommunicationId SplitLanes::add_collective(const SplitLane& lane, CollectiveKind kind, GroupKind group,
                                           Bytes message, const CollectiveTime& time, double share) {
  const MeshGroup ranks = step_.mesh.group(group);
  Communication communication = timed(time, share);
  communication.kind = program_kind(kind);
  communication.message = message;
  communication.ranks = static_cast<std::uint32_t>(ranks.size);
  communication.group = to_string(group);
  communication.instances = lane.ranks / static_cast<std::uint32_t>(ranks.size);
  communication.stride = replica_stride(step_.mesh, group);
  use_links(communication, lane, ranks);
  return program_.add_communication(std::move(communication));
}

CommunicationId SplitLanes::add_pair(CommunicationKind kind, GroupKind group, const SplitLane& one,
                                     const SplitLane& other, const PairMessage& message) {
  Communication communication = timed(message.time, 1);
  communication.kind = kind;
  communication.message = message.bytes;
  communication.ranks = 2;
  communication.group = to_string(group);
  communication.instances = one.ranks;
  const bool far = step_.mesh.stages_cross_nodes();
  const MeshGroup pair = group == GroupKind::pipeline ? MeshGroup{2, step_.mesh.stage_stride(), far ? 1 : 2}
                                                      : step_.mesh.group(group);
  for (const SplitLane* lane : {&one, &other}) use_links(communication, *lane, pair);
  return program_.add_communication(std::move(communication));
}

CommunicationId SplitLanes::add_send(const SplitLane& from, const SplitLane& to, const PairMessage& message) {
  return add_pair(CommunicationKind::send_receive, GroupKind::pipeline, from, to, message);
}

CommunicationId SplitLanes::add_ends(const SplitLane& first, const SplitLane& last,
                                     const PairMessage& message) {
  return add_pair(CommunicationKind::all_reduce, GroupKind::stage_ends, first, last, message);
}

CommunicationId SplitLanes::add_world(const std::vector<SplitLane>& lanes, Seconds time) {
  Communication communication;
  communication.kind = CommunicationKind::all_reduce;
  communication.message = Bytes(sizeof(double));
  communication.latency = time;
  communication.rate = BytesPerSecond(1);
  communication.ranks = 0;
  communication.group = to_string(GroupKind::world);
  for (const SplitLane& lane : lanes) communication.ranks += lane.ranks;
  return program_.add_communication(std::move(communication));
}

}  // namespace paceline
