// Which layers stand at which place of a pipeline.
#include <fmt/format.h>

#include <algorithm>
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

// How many layers, from `first` on, fit under `most` beside what already stands there.
int fitting(const std::vector<Seconds>& layers, std::size_t first, Seconds most, Seconds there) {
  int count = 0;
  for (std::size_t next = first; next < layers.size() && there + layers[next] <= most; ++next, ++count)
    there += layers[next];
  return count;
}

// Places filled one after the other up to `most`; fewer layers than there are when they do not fit.
std::vector<int> filled(const LayerCosts& costs, int places, Seconds most) {
  std::vector<int> result;
  std::size_t next = 0;
  for (int place = 0; place < places; ++place) {
    const Seconds there =
        (place == 0 ? costs.before : Seconds(0)) + (place + 1 == places ? costs.after : Seconds(0));
    const int after = places - 1 - place;  // each of them needs a layer
    const int left = static_cast<int>(costs.layers.size() - next);
    int count = std::min(fitting(costs.layers, next, most, there), left - after);
    if (count < 1) count = place + 1 == places ? 0 : 1;
    result.push_back(count);
    next += static_cast<std::size_t>(count);
  }
  if (next < costs.layers.size()) result.clear();
  return result;
}

}  // namespace

std::vector<int> balanced_places(const LayerCosts& costs, int places) {
  Seconds all = costs.before + costs.after;
  for (const Seconds& layer : costs.layers) all += layer;
  Seconds low, high = all;
  std::vector<int> best;
  for (int round = 0; round < 60; ++round) {
    const Seconds most = (low + high) / 2;
    std::vector<int> result = filled(costs, places, most);
    if (result.empty()) {
      low = most;
    } else {
      best = std::move(result);
      high = most;
    }
  }
  return best.empty() ? filled(costs, places, all) : best;
}

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
