// What has to end before what, laid out for the engine: for each operation, how many others it waits for and
// which ones wait for it; for each communication, its operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/plan/program.h"

namespace paceline {

class Graph {
 public:
  // Throws std::logic_error when an index in the program points nowhere or a time, rate or capacity makes no
  // sense.
  explicit Graph(const Program& program);

  struct Node {
    std::uint32_t waits_for = 0;  // operations that have to end first
    OpId next_in_stream = no_id;
    std::uint32_t first_dependent = 0;
  };
  // The engine counts `waits_for` down as operations end.
  [[nodiscard]] std::vector<Node>& nodes() { return nodes_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  // Operations on other streams that wait for this one.
  [[nodiscard]] std::span<const OpId> dependents(OpId op) const {
    const std::uint32_t begin = nodes_[op].first_dependent;
    return std::span(dependents_).subspan(begin, nodes_[op + 1].first_dependent - begin);
  }
  [[nodiscard]] std::span<const OpId> members(CommunicationId communication) const {
    const std::uint32_t begin = first_member_[communication];
    return std::span(members_).subspan(begin, first_member_[communication + 1] - begin);
  }

 private:
  void link_streams(const Program& program);
  void link_dependents(const Program& program);
  void gather_members(const Program& program);

  std::vector<Node> nodes_;  // one more than there are operations
  std::vector<OpId> dependents_;
  std::vector<std::uint32_t> first_member_;
  std::vector<OpId> members_;
};

// What the operations that never ended wait for, the first few of them; for the message of a
// deadlock. `graph` is as the run left it.
[[nodiscard]] std::string describe_stuck(const Program& program, const Graph& graph,
                                         const std::vector<bool>& ended);

}  // namespace paceline
