// Writes every rank of a folded Program out. Replicas of a thing get consecutive ids, in the order of the
// folded ids, so that whatever the engine orders by id comes in the same order in both forms.
#include <fmt/format.h>

#include <stdexcept>

#include "sim/plan/program.h"

namespace paceline {
namespace {

// "GPU 1-7 (x7)" becomes "GPU 3".
std::string replica_name(const ProgramRank& rank, std::int32_t real_rank) {
  std::string_view prefix = rank.name;
  prefix = prefix.substr(0, prefix.rfind(" (x"));
  prefix = prefix.substr(0, prefix.find_last_not_of("0123456789-, ") + 1);
  return fmt::format("{}{}{}", prefix, prefix.empty() ? "" : " ", real_rank);
}

// Where the replicas of each folded thing begin; one more entry than there are things.
using Bases = std::vector<std::uint32_t>;

template <class Things, class Count>
Bases bases(const Things& things, const Count& count) {
  Bases result{0};
  result.reserve(things.size() + 1);
  for (const auto& thing : things) result.push_back(result.back() + count(thing));
  return result;
}

// The group that replica `replica` of `multiplicity` joins.
std::uint32_t group_of(const Communication& communication, std::uint32_t replica,
                       std::uint32_t multiplicity) {
  if (multiplicity % communication.instances != 0)
    throw std::logic_error(
        fmt::format("{} instances of a communication cannot be spread evenly over {} ranks",
                    communication.instances, multiplicity));
  if (communication.instances % communication.stride != 0)
    throw std::logic_error(fmt::format("{} instances of a communication whose ranks are {} apart",
                                       communication.instances, communication.stride));
  const std::uint32_t stride = communication.stride, members = multiplicity / communication.instances;
  return replica % stride + replica / (stride * members) * stride;
}

class Unfolding {
 public:
  explicit Unfolding(const Program& folded)
      : folded_(folded),
        ranks_(bases(folded.ranks, [](const ProgramRank& rank) { return rank.multiplicity; })),
        streams_(
            bases(folded.streams, [&](const ProgramStream& stream) { return multiplicity(stream.rank); })),
        resources_(
            bases(folded.resources, [&](const Resource& resource) { return multiplicity(resource.owner); })),
        communications_(
            bases(folded.communications, [](const Communication& each) { return each.instances; })),
        operations_(
            bases(folded.operations, [&](const Operation& op) { return multiplicity(rank_of(op)); })) {}

  Program result() {
    unfolded_.strings = folded_.strings;
    unfolded_.phases = folded_.phases;
    unfold_ranks();
    unfold_resources();
    for (const Communication& communication : folded_.communications) unfold_communication(communication);
    for (OpId op = 0; op < folded_.operations.size(); ++op) unfold_operation(op);
    for (const MemoryEvent& event : folded_.memory) unfold_memory(event);
    return std::move(unfolded_);
  }

 private:
  [[nodiscard]] std::uint32_t multiplicity(RankId rank) const {
    return rank == no_id ? 1 : folded_.ranks[rank].multiplicity;
  }
  [[nodiscard]] RankId rank_of(const Operation& op) const { return folded_.streams[op.stream].rank; }

  void unfold_ranks() {
    for (const ProgramRank& rank : folded_.ranks) {
      for (std::uint32_t replica = 0; replica < rank.multiplicity; ++replica) {
        ProgramRank one = rank;
        const auto index = static_cast<std::int32_t>(replica);
        one.first_rank += index % rank.rank_block + index / rank.rank_block * rank.rank_stride;
        one.multiplicity = 1;
        if (rank.multiplicity > 1) one.name = replica_name(rank, one.first_rank);
        unfolded_.add_rank(std::move(one));
      }
    }
    for (const ProgramStream& stream : folded_.streams)
      for (std::uint32_t replica = 0; replica < multiplicity(stream.rank); ++replica)
        unfolded_.add_stream({ranks_[stream.rank] + replica, stream.kind, stream.name});
  }

  void unfold_resources() {
    for (const Resource& resource : folded_.resources) {
      for (std::uint32_t replica = 0; replica < multiplicity(resource.owner); ++replica) {
        Resource one = resource;
        if (resource.owner != no_id) one.owner = ranks_[resource.owner] + replica;
        unfolded_.add_resource(std::move(one));
      }
    }
  }

  void unfold_communication(const Communication& communication) {
    for (std::uint32_t instance = 0; instance < communication.instances; ++instance) {
      Communication one = communication;
      one.instances = 1;
      one.stride = 1;
      one.uses.clear();
      for (const ResourceUse& use : communication.uses) add_uses(one, communication, use, instance);
      unfolded_.add_communication(std::move(one));
    }
  }

  // The copies of a resource that instance `instance` uses: those of its members, or, where several instances
  // share one owner, that owner's.
  void add_uses(Communication& one, const Communication& communication, const ResourceUse& use,
                std::uint32_t instance) {
    const std::uint32_t base = resources_[use.resource];
    const std::uint32_t copies = multiplicity(folded_.resources[use.resource].owner);
    if (copies < communication.instances && communication.instances % copies == 0) {
      const std::uint32_t copy =
          communication.stride == 1 ? instance / (communication.instances / copies) : instance % copies;
      one.uses.push_back({base + copy, use.weight});
      return;
    }
    for (std::uint32_t copy = 0; copy < copies; ++copy)
      if (group_of(communication, copy, copies) == instance) one.uses.push_back({base + copy, use.weight});
  }

  void unfold_operation(OpId op) {
    const Operation& operation = folded_.operations[op];
    const std::uint32_t replicas = multiplicity(rank_of(operation));
    for (std::uint32_t replica = 0; replica < replicas; ++replica) {
      Operation one = operation;
      one.stream = streams_[operation.stream] + replica;
      if (operation.kind == OpKind::communication) {
        const Communication& communication = folded_.communications[operation.communication];
        one.communication =
            communications_[operation.communication] + group_of(communication, replica, replicas);
      }
      after_.clear();
      for (const OpId dependency : folded_.dependencies(op)) add_dependency(dependency, replica, replicas);
      unfolded_.add_operation(one, after_);
    }
  }

  // Replica to replica between ranks of the same multiplicity, else all to all.
  void add_dependency(OpId dependency, std::uint32_t replica, std::uint32_t replicas) {
    const std::uint32_t others = multiplicity(rank_of(folded_.operations[dependency]));
    if (others == replicas) {
      after_.push_back(operations_[dependency] + replica);
      return;
    }
    for (std::uint32_t other = 0; other < others; ++other) after_.push_back(operations_[dependency] + other);
  }

  // An event may hang on an operation of another rank (a process that allocates for its devices); all
  // replicas of that operation happen at the same time, so where replicas do not pair up the first one stands
  // for all.
  void unfold_memory(const MemoryEvent& event) {
    const std::uint32_t replicas = multiplicity(event.rank);
    for (std::uint32_t replica = 0; replica < replicas; ++replica) {
      MemoryEvent one = event;
      one.rank = ranks_[event.rank] + replica;
      if (event.op != no_id) {
        const bool paired = multiplicity(rank_of(folded_.operations[event.op])) == replicas;
        one.op = operations_[event.op] + (paired ? replica : 0);
      }
      unfolded_.memory.push_back(one);
    }
  }

  const Program& folded_;
  Bases ranks_, streams_, resources_, communications_, operations_;
  Program unfolded_;
  std::vector<OpId> after_;
};

}  // namespace

Program unfold(const Program& program) { return Unfolding(program).result(); }

}  // namespace paceline
