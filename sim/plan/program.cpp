#include "sim/plan/program.h"

#include <algorithm>

namespace paceline {

std::string_view to_string(CommunicationKind kind) {
  switch (kind) {
    case CommunicationKind::all_reduce:
      return "all-reduce";
    case CommunicationKind::all_gather:
      return "all-gather";
    case CommunicationKind::reduce_scatter:
      return "reduce-scatter";
    case CommunicationKind::broadcast:
      return "broadcast";
    case CommunicationKind::reduce:
      return "reduce";
    case CommunicationKind::all_to_all:
      return "all-to-all";
    case CommunicationKind::send_receive:
      return "send/recv";
    case CommunicationKind::copy:
      return "copy";
  }
  return "copy";
}

std::string_view to_string(MemoryCause cause) {
  switch (cause) {
    case MemoryCause::parameters:
      return "parameters";
    case MemoryCause::gradients:
      return "gradients";
    case MemoryCause::optimizer:
      return "optimizer";
    case MemoryCause::activations:
      return "activations";
    case MemoryCause::buckets:
      return "buckets";
    case MemoryCause::outputs:
      return "outputs";
    case MemoryCause::buffers:
      return "buffers";
    case MemoryCause::input:
      return "input";
    case MemoryCause::context:
      return "context";
    case MemoryCause::workspace:
      return "workspace";
    case MemoryCause::allocator:
      return "allocator";
  }
  return "allocator";
}

RankId Program::add_rank(ProgramRank rank) {
  ranks.push_back(std::move(rank));
  return static_cast<RankId>(ranks.size() - 1);
}

StreamId Program::add_stream(ProgramStream stream) {
  streams.push_back(std::move(stream));
  return static_cast<StreamId>(streams.size() - 1);
}

ResourceId Program::add_resource(Resource resource) {
  resources.push_back(std::move(resource));
  return static_cast<ResourceId>(resources.size() - 1);
}

CommunicationId Program::add_communication(Communication communication) {
  communications.push_back(std::move(communication));
  return static_cast<CommunicationId>(communications.size() - 1);
}

std::uint16_t Program::phase(std::string_view name) {
  const auto found = std::find(phases.begin(), phases.end(), name);
  if (found != phases.end()) return static_cast<std::uint16_t>(found - phases.begin());
  phases.emplace_back(name);
  return static_cast<std::uint16_t>(phases.size() - 1);
}

OpId Program::add_operation(const Operation& operation, std::span<const OpId> after) {
  operations.push_back(operation);
  dependencies_.insert(dependencies_.end(), after.begin(), after.end());
  dependency_end_.push_back(static_cast<std::uint32_t>(dependencies_.size()));
  return static_cast<OpId>(operations.size() - 1);
}

std::span<const OpId> Program::dependencies(OpId op) const {
  const std::uint32_t begin = op == 0 ? 0 : dependency_end_[op - 1];
  return std::span(dependencies_).subspan(begin, dependency_end_[op] - begin);
}

std::size_t Program::device_count() const {
  std::size_t count = 0;
  for (const ProgramRank& rank : ranks) count += rank.is_device ? rank.multiplicity : 0;
  return count;
}

}  // namespace paceline
