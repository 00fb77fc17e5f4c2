// The ranks of a pipeline stage, which all do the same, and what they have in a Program: streams and links.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/cost/collective_cost.h"
#include "sim/cost/transformer/split_step.h"
#include "sim/plan/program.h"

namespace paceline {

// To and from neighbouring stages.
enum class StageLink : std::uint8_t { send_forward, receive_forward, send_backward, receive_backward };
constexpr std::size_t stage_link_count = 4;

struct SplitLane {
  RankId rank = 0;
  int stage = 0;
  std::uint32_t ranks = 1;  // that it stands for
  StreamId host = 0, compute = 0;
  ResourceId peers = no_id, network = no_id;
  std::array<StreamId, group_kind_count> group_streams{};  // no_id until it is used
  StreamId gathers = no_id;                                // of parameters, sharded data parallelism
  std::array<std::array<StreamId, stage_link_count>, 2> stage_streams{};  // by chunk parity
  OpId last = no_id;                                                      // on the compute stream's chain
  std::vector<OpId> blockers;  // that the next compute waits for too
};

struct PairMessage {
  Bytes bytes;
  CollectiveTime time;
};

class SplitLanes {
 public:
  SplitLanes(Program& program, const SplitStep& step, const CollectiveCost& collectives);

  [[nodiscard]] SplitLane add(int stage);
  // The stream of a lane for a group's collectives, made when it is first asked for.
  StreamId stream(SplitLane& lane, GroupKind group);
  StreamId gather_stream(SplitLane& lane);
  StreamId stage_stream(SplitLane& lane, StageLink link, int chunk);

  // A collective in every group of the kind among the lane's ranks; `share` of its time.
  CommunicationId add_collective(const SplitLane& lane, CollectiveKind kind, GroupKind group, Bytes message,
                                 const CollectiveTime& time, double share = 1);
  // Between the ranks of two stages, one to one; between those of the first and the last.
  CommunicationId add_send(const SplitLane& from, const SplitLane& to, const PairMessage& message);
  CommunicationId add_ends(const SplitLane& first, const SplitLane& last, const PairMessage& message);
  // Of all ranks: everyone waits for everyone, then `time` passes.
  CommunicationId add_world(const std::vector<SplitLane>& lanes, Seconds time);

 private:
  CommunicationId add_pair(CommunicationKind kind, GroupKind group, const SplitLane& one,
                           const SplitLane& other, const PairMessage& message);
  void use_links(Communication& communication, const SplitLane& lane, const MeshGroup& group) const;
  StreamId make_stream(const SplitLane& lane, const std::string& name);

  Program& program_;
  const SplitStep& step_;
  const CollectiveCost& collectives_;
  int next_stream_ = 20;  // as profilers number the streams of communicators
};

}  // namespace paceline
