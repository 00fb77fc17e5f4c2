#include "tests/sim/engine/random_program.h"

#include <rapidcheck.h>

#include <numeric>

namespace paceline::test {
namespace {

int draw(int first, int end) { return *rc::gen::inRange(first, end); }

std::uint32_t draw_index(std::size_t count) {
  return *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(count));
}

// Few distinct values, so that things happen at the same moment; sevenths, so that sums round.
double draw_seventh(int first, int end) { return draw(first, end) / 7.0; }

class Drawing {
 public:
  explicit Drawing(const ProgramShape& shape) : shape_(shape) {}

  Program result() {
    add_ranks();
    add_resources();
    const int steps = draw(1, 20);
    for (int step = 0; step < steps; ++step) {
      if (draw(0, 3) == 0) {
        add_local();
      } else {
        add_communication();
      }
    }
    return std::move(program_);
  }

 private:
  void add_ranks() {
    const int classes = draw(1, 4);
    const auto common = static_cast<std::uint32_t>(draw(1, 6));
    std::int32_t first = 0;
    for (int each = 0; each < classes; ++each) {
      const std::uint32_t multiplicity = draw(0, 3) == 0 ? static_cast<std::uint32_t>(draw(1, 6)) : common;
      const RankId rank =
          program_.add_rank({.name = "rank", .first_rank = first, .multiplicity = multiplicity});
      first += static_cast<std::int32_t>(multiplicity);
      for (const StreamKind kind : {StreamKind::host, StreamKind::compute, StreamKind::communication,
                                    StreamKind::communication, StreamKind::copy})
        program_.add_stream({rank, kind, "stream"});
    }
  }

  void add_resources() {
    for (RankId rank = 0; rank < program_.ranks.size(); ++rank) add_resource(rank);
    const int shared = draw(1, 3);
    for (int each = 0; each < shared; ++each) add_resource(no_id);
  }
  void add_resource(RankId owner) {
    program_.add_resource({"link", BytesPerSecond(draw_seventh(5, 20)), owner});
  }

  [[nodiscard]] std::uint32_t multiplicity(RankId rank) const {
    return rank == no_id ? 1 : program_.ranks[rank].multiplicity;
  }

  // Earlier operations, at most two.
  std::vector<OpId> draw_dependencies() {
    std::vector<OpId> result;
    if (!shape_.dependencies || program_.operations.empty()) return result;
    const int count = draw(-1, 3);
    for (int each = 0; each < count; ++each) result.push_back(draw_index(program_.operations.size()));
    return result;
  }

  void add_local() {
    program_.add_operation({.stream = draw_index(program_.streams.size()), .seconds = draw_seventh(0, 8)},
                           draw_dependencies());
  }

  void add_communication() {
    std::vector<StreamId> streams;
    for (StreamId stream = 0; stream < program_.streams.size(); ++stream)
      if (draw(0, 6) == 0) streams.push_back(stream);
    if (streams.empty()) streams.push_back(draw_index(program_.streams.size()));
    std::uint32_t common = 0;
    for (const StreamId stream : streams)
      common = std::gcd(common, multiplicity(program_.streams[stream].rank));
    const CommunicationId id = program_.add_communication(draw_communication(draw_divisor(common)));
    const std::vector<OpId> after = draw_dependencies();
    for (const StreamId stream : streams)
      program_.add_operation({.stream = stream, .kind = OpKind::communication, .communication = id}, after);
  }

  static std::uint32_t draw_divisor(std::uint32_t number) {
    std::vector<std::uint32_t> divisors;
    for (std::uint32_t each = 1; each <= number; ++each)
      if (number % each == 0) divisors.push_back(each);
    return divisors[draw_index(divisors.size())];
  }

  Communication draw_communication(std::uint32_t instances) {
    Communication result{.instances = instances,
                         .stride = draw_divisor(instances),
                         .latency = Seconds(draw_seventh(0, 2)),
                         .arrival_spread = Seconds(draw_seventh(0, 2)),
                         .wire_bytes = Bytes(draw_seventh(0, 20)),
                         .rate = BytesPerSecond(draw_seventh(1, 25)),
                         .compute_slowdown = shape_.slowdowns ? 0.3 * draw(0, 3) : 0};
    const int uses = draw(1, 5);
    for (int each = 0; each < uses; ++each) {
      const ResourceId resource = draw_index(program_.resources.size());
      const std::uint32_t copies = multiplicity(program_.resources[resource].owner);
      if (copies % instances == 0 || instances % copies == 0)
        result.uses.push_back({resource, draw_seventh(1, 4)});
    }
    return result;
  }

  const ProgramShape& shape_;
  Program program_;
};

}  // namespace

Program random_program(const ProgramShape& shape) { return Drawing(shape).result(); }

}  // namespace paceline::test
