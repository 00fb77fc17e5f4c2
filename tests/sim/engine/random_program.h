// Random programs that cannot deadlock: the operations of a communication are added together, after
// everything that they can wait for.
#pragma once

#include "sim/plan/program.h"

namespace paceline::test {

struct ProgramShape {
  bool slowdowns = true;
  bool dependencies = true;
};

// To be called inside a RapidCheck property: draws from its generators, so a failure shrinks.
[[nodiscard]] Program random_program(const ProgramShape& shape = {});

}  // namespace paceline::test
