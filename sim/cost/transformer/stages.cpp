// Which layers stand at which place of a pipeline.
#include <fmt/format.h>

#include <numeric>

#include "base/error.h"
#include "sim/cost/transformer/split_step.h"

namespace paceline {
namespace {

std::vector<int> as_asked(int layers, int places, const std::vector<int>& asked) {
  const int sum = std::accumulate(asked.begin(), asked.end(), 0);
  if (static_cast<int>(asked.size()) != places || sum != layers)
    throw InputError(
        "stage_layers", fmt::format("{} numbers that add up to {}", asked.size(), sum),
        fmt::format("{} numbers, one a place of the pipeline, that add up to {} layers", places, layers),
        "count the virtual stages too");
  return asked;
}

}  // namespace

std::vector<int> layers_of_places(int layers, int places, const Parallelism& parallelism) {
  if (!parallelism.stage_layers.empty()) return as_asked(layers, places, parallelism.stage_layers);
  const int extra = parallelism.embedding_counts ? 2 : 0;
  if (layers + extra < places)
    throw InputError("pipeline", fmt::format("{} places for {} layers", places, layers),
                     "at least one layer at each place (stages x virtual stages)",
                     "use fewer stages or virtual stages");
  std::vector<int> result(static_cast<std::size_t>(places), (layers + extra) / places);
  int rest = (layers + extra) % places;
  // The middle takes what is left over: embedding and head weigh on the ends.
  for (int place = 1; place + 1 < places && rest > 0; ++place, --rest)
    ++result[static_cast<std::size_t>(place)];
  for (int place = 0; place < places && rest > 0; place += places - 1, --rest)
    ++result[static_cast<std::size_t>(place)];
  if (parallelism.embedding_counts) {
    --result.front();
    --result.back();
  }
  return result;
}

}  // namespace paceline
