// Small programs for the engine's tests, written in a line or two.
#pragma once

#include <initializer_list>
#include <string>

#include "sim/plan/program.h"

namespace paceline::test {

// A rank with one stream of each kind.
struct BuiltRank {
  RankId id;
  StreamId host, compute, communication, copy;
};

inline BuiltRank add_rank(Program& program, const std::string& name, std::int32_t first_rank = 0,
                          std::uint32_t multiplicity = 1) {
  const RankId id = program.add_rank({.name = name, .first_rank = first_rank, .multiplicity = multiplicity});
  return {.id = id,
          .host = program.add_stream({id, StreamKind::host, "python"}),
          .compute = program.add_stream({id, StreamKind::compute, "stream 7"}),
          .communication = program.add_stream({id, StreamKind::communication, "stream 20"}),
          .copy = program.add_stream({id, StreamKind::copy, "stream 21"})};
}

inline OpId add_local(Program& program, StreamId stream, double seconds,
                      std::initializer_list<OpId> after = {}) {
  return program.add_operation({.stream = stream, .name = program.strings.intern("work"), .seconds = seconds},
                               {after.begin(), after.size()});
}

inline OpId add_member(Program& program, StreamId stream, CommunicationId communication,
                       std::initializer_list<OpId> after = {}) {
  return program.add_operation({.stream = stream,
                                .kind = OpKind::communication,
                                .family = Family::communication,
                                .name = program.strings.intern("all-reduce"),
                                .communication = communication},
                               {after.begin(), after.size()});
}

// A communication that takes `seconds` when alone: so many bytes at one byte per second.
inline Communication lasting(double seconds) {
  return {.wire_bytes = Bytes(seconds), .rate = BytesPerSecond(1)};
}

}  // namespace paceline::test
