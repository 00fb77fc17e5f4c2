#include "sim/engine/compute_speed.h"

#include <algorithm>

namespace paceline {

ComputeSpeed::ComputeSpeed(const Program& program, const Graph& graph)
    : program_(program), graph_(graph), ranks_(program.ranks.size() + 1), covered_(program.streams.size()) {
  for (const Operation& operation : program.operations)
    if (operation.kind == OpKind::communication &&
        program.communications[operation.communication].compute_slowdown > 0)
      ranks_[program.streams[operation.stream].rank].slowed = true;
  for (StreamId stream = 0; stream < program.streams.size(); ++stream) {
    const RankId rank = program.streams[stream].rank;
    covered_[stream] = program.streams[stream].kind == StreamKind::compute && ranks_[rank].slowed ? 1 : 0;
    ++ranks_[rank + 1].first_place;
    ranks_[rank + 1].first_stream += covered_[stream];
  }
  for (RankId rank = 1; rank < ranks_.size(); ++rank) {
    ranks_[rank].first_place += ranks_[rank - 1].first_place;
    ranks_[rank].first_stream += ranks_[rank - 1].first_stream;
  }
  places_.resize(ranks_.back().first_place);
  streams_.resize(ranks_.back().first_stream);
  std::vector<std::uint32_t> filled(program.ranks.size());
  for (StreamId stream = 0; stream < program.streams.size(); ++stream) {
    const RankId rank = program.streams[stream].rank;
    if (covered_[stream] != 0) streams_[ranks_[rank].first_stream + filled[rank]++] = stream;
  }
  dirty_.reserve(program.ranks.size());
  changed_.reserve(program.ranks.size());
}

std::span<const StreamId> ComputeSpeed::covered_streams(RankId rank) const {
  const std::uint32_t begin = ranks_[rank].first_stream;
  return std::span(streams_).subspan(begin, ranks_[rank + 1].first_stream - begin);
}

void ComputeSpeed::begin(CommunicationId communication) {
  for (const OpId op : graph_.members(communication)) {
    RankState& rank = ranks_[rank_of(op)];
    const auto begin = places_.begin() + rank.first_place;
    const auto place = std::lower_bound(begin, begin + rank.active, communication);
    // A rank that takes part with several streams is slowed down once.
    if (place != begin + rank.active && *place == communication) continue;
    std::copy_backward(place, begin + rank.active, begin + rank.active + 1);
    *place = communication;
    ++rank.active;
    mark(rank_of(op));
  }
}

void ComputeSpeed::end(CommunicationId communication) {
  for (const OpId op : graph_.members(communication)) {
    RankState& rank = ranks_[rank_of(op)];
    const auto begin = places_.begin() + rank.first_place;
    const auto end = begin + rank.active;
    const auto place = std::lower_bound(begin, end, communication);
    if (place == end || *place != communication) continue;
    std::copy(place + 1, end, place);
    --rank.active;
    mark(rank_of(op));
  }
}

std::span<const RankId> ComputeSpeed::settle() {
  changed_.clear();
  for (const RankId id : dirty_) {
    RankState& rank = ranks_[id];
    const double before = rank.speed;
    rank.speed = product(rank);
    rank.dirty = false;
    if (rank.speed != before) changed_.push_back(id);
  }
  dirty_.clear();
  return changed_;
}

void ComputeSpeed::mark(RankId rank) {
  if (ranks_[rank].dirty) return;
  ranks_[rank].dirty = true;
  dirty_.push_back(rank);
}

double ComputeSpeed::product(const RankState& rank) const {
  double speed = 1;
  for (std::uint32_t place = 0; place < rank.active; ++place)
    speed *= 1 - program_.communications[places_[rank.first_place + place]].compute_slowdown;
  return speed;
}

}  // namespace paceline
