#include "sim/engine/graph.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace paceline {
namespace {

void require(bool holds, std::string_view what, std::size_t id, std::string_view rule) {
  if (!holds) throw std::logic_error(fmt::format("{} {} of the program: {}", what, id, rule));
}

bool is_time(double value) { return value >= 0 && std::isfinite(value); }

void check_operation(const Program& program, OpId op) {
  const Operation& operation = program.operations[op];
  require(operation.stream < program.streams.size(), "operation", op, "its stream does not exist");
  require(program.streams[operation.stream].rank < program.ranks.size(), "operation", op,
          "its rank does not exist");
  require(is_time(operation.seconds), "operation", op, "its duration is negative or not finite");
  if (operation.kind == OpKind::communication)
    require(operation.communication < program.communications.size(), "operation", op,
            "its communication does not exist");
  for (const OpId dependency : program.dependencies(op))
    require(dependency < op, "operation", op, "it depends on an operation that is not earlier");
}

void check_communication(const Program& program, CommunicationId id) {
  const Communication& communication = program.communications[id];
  const auto check = [id](bool holds, std::string_view rule) { require(holds, "communication", id, rule); };
  check(is_time(communication.latency.value()), "its latency is negative or not finite");
  check(is_time(communication.arrival_spread.value()), "its arrival spread is negative or not finite");
  check(is_time(communication.wire_bytes.value()), "its bytes are negative or not finite");
  check(communication.wire_bytes.value() == 0 || communication.rate.value() > 0, "it has bytes but no rate");
  check(communication.compute_slowdown >= 0 && communication.compute_slowdown < 1,
        "its compute slowdown is not in [0, 1)");
  check(communication.instances > 0, "it has no instances");
  for (const ResourceUse& use : communication.uses) {
    check(use.resource < program.resources.size(), "a resource of it does not exist");
    check(is_time(use.weight), "a weight is negative or not finite");
    check(program.resources[use.resource].capacity.value() > 0, "a resource of it has no capacity");
  }
}

void check(const Program& program) {
  for (OpId op = 0; op < program.operations.size(); ++op) check_operation(program, op);
  for (CommunicationId id = 0; id < program.communications.size(); ++id) check_communication(program, id);
}

// An operation that was reached and has not ended waits for its communication's others; one that was not
// reached waits for an operation of its own or of another stream.
std::string describe(const Program& program, const Graph& graph, OpId op, const std::vector<bool>& ended) {
  const Operation& operation = program.operations[op];
  const ProgramStream& stream = program.streams[operation.stream];
  const std::string self = fmt::format("operation {} \"{}\" ({}, {})", op, program.strings[operation.name],
                                       program.ranks[stream.rank].name, stream.name);
  for (const OpId dependency : program.dependencies(op))
    if (!ended[dependency]) return fmt::format("{} waits for operation {}", self, dependency);
  if (graph.nodes()[op].waits_for > 0) return self + " waits for its stream";
  for (const OpId other : graph.members(operation.communication))
    if (graph.nodes()[other].waits_for > 0)
      return fmt::format("{} waits in communication {} for operation {}", self, operation.communication,
                         other);
  return self;
}

}  // namespace

Graph::Graph(const Program& program) : nodes_(program.operations.size() + 1) {
  check(program);
  link_streams(program);
  link_dependents(program);
  gather_members(program);
}

void Graph::link_streams(const Program& program) {
  std::vector<OpId> last(program.streams.size(), no_id);
  for (OpId op = 0; op < program.operations.size(); ++op) {
    OpId& previous = last[program.operations[op].stream];
    if (previous != no_id) {
      nodes_[previous].next_in_stream = op;
      ++nodes_[op].waits_for;
    }
    previous = op;
  }
}

// Counting sort of the dependencies by the operation that they wait for. Those within a stream say nothing
// new.
void Graph::link_dependents(const Program& program) {
  const auto each = [&program](const auto& visit) {
    for (OpId op = 0; op < program.operations.size(); ++op)
      for (const OpId dependency : program.dependencies(op))
        if (program.operations[dependency].stream != program.operations[op].stream) visit(dependency, op);
  };
  each([this](OpId dependency, OpId op) {
    ++nodes_[dependency + 1].first_dependent;
    ++nodes_[op].waits_for;
  });
  for (std::size_t op = 1; op < nodes_.size(); ++op)
    nodes_[op].first_dependent += nodes_[op - 1].first_dependent;
  dependents_.resize(nodes_.back().first_dependent);
  std::vector<std::uint32_t> place(nodes_.size());
  for (std::size_t op = 0; op < nodes_.size(); ++op) place[op] = nodes_[op].first_dependent;
  each([&](OpId dependency, OpId op) { dependents_[place[dependency]++] = op; });
}

void Graph::gather_members(const Program& program) {
  first_member_.assign(program.communications.size() + 1, 0);
  for (const Operation& operation : program.operations)
    if (operation.kind == OpKind::communication) ++first_member_[operation.communication + 1];
  for (std::size_t id = 1; id < first_member_.size(); ++id) first_member_[id] += first_member_[id - 1];
  members_.resize(first_member_.back());
  std::vector<std::uint32_t> place = first_member_;
  for (OpId op = 0; op < program.operations.size(); ++op)
    if (program.operations[op].kind == OpKind::communication)
      members_[place[program.operations[op].communication]++] = op;
}

std::string describe_stuck(const Program& program, const Graph& graph, const std::vector<bool>& ended) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t count = 0;
  for (OpId op = 0; op < program.operations.size(); ++op) {
    if (ended[op]) continue;
    if (++count <= most) text += "\n  " + describe(program, graph, op, ended);
  }
  if (count > most) text += fmt::format("\n  and {} more", count - most);
  return text;
}

}  // namespace paceline
