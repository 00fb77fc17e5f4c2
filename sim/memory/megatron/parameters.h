// Parameters that one rank holds, and the shapes of its weight matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

struct WeightShape {
  std::int64_t rows = 0, columns = 0;
  bool operator==(const WeightShape&) const = default;
  [[nodiscard]] std::int64_t elements() const { return rows * columns; }
};

// Numbers of parameters. Dense and expert parameters are divided among different ranks by a distributed
// optimizer, so they are counted apart.
struct Parameters {
  std::int64_t dense = 0, expert = 0;
  // Distinct shapes of the matrices whose products accumulate into the main gradient: blocks and output
  // layer, without embedding, router and norms. All experts share theirs.
  std::vector<WeightShape> shapes;

  [[nodiscard]] std::int64_t count() const { return dense + expert; }
};

// Of one rank of the stage. A first stage adds the embedding (and positions), a last one the final norm and
// the output layer: its own copy of a tied embedding if there are several stages. The run must have passed
// `check`.
[[nodiscard]] Parameters parameters_of_stage(const TrainingRun& run, std::int64_t stage);

}  // namespace paceline::megatron
