// How fast each rank's compute streams run: the product of (1 - compute_slowdown) over the communications in
// progress in which the rank takes part, multiplied in the order of their ids.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/graph.h"
#include "sim/plan/program.h"

namespace paceline {

class ComputeSpeed {
 public:
  ComputeSpeed(const Program& program, const Graph& graph);

  // Whether the stream is a compute stream of a rank that some communication slows down.
  [[nodiscard]] bool covers(StreamId stream) const { return covered_[stream] != 0; }
  [[nodiscard]] std::span<const StreamId> covered_streams(RankId rank) const;
  [[nodiscard]] double of(RankId rank) const { return ranks_[rank].speed; }

  void begin(CommunicationId communication);
  void end(CommunicationId communication);
  // Speeds after the begins and ends since the last call; returns the ranks whose speed is another than
  // before.
  std::span<const RankId> settle();

 private:
  struct RankState {
    double speed = 1;
    std::uint32_t first_place = 0;
    std::uint32_t active = 0;  // communications in progress; in the rank's first places, in the order of ids
    std::uint32_t first_stream = 0;
    bool slowed = false;  // ever
    bool dirty = false;
  };
  [[nodiscard]] RankId rank_of(OpId op) const {
    return program_.streams[program_.operations[op].stream].rank;
  }
  void mark(RankId rank);
  [[nodiscard]] double product(const RankState& rank) const;

  const Program& program_;
  const Graph& graph_;
  std::vector<RankState> ranks_;         // one more than there are ranks
  std::vector<CommunicationId> places_;  // each rank has as many as it has streams: one head operation each
  std::vector<StreamId> streams_;        // covered ones, by rank
  std::vector<std::uint8_t> covered_;    // by stream
  std::vector<RankId> dirty_, changed_;
};

}  // namespace paceline
