#include "sim/cost/kernel/gemm_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

struct Tile {
  double rows, columns;
};
constexpr std::array<Tile, 6> tiles{{{16, 64}, {32, 64}, {64, 64}, {64, 128}, {128, 128}, {256, 128}}};
constexpr double k_step_elements = 64;
constexpr double wave_cost = 0.3e-6;  // s, of the last wave's drain
constexpr double least_split_depth = 128;
constexpr double most_splits = 32;
constexpr double partial_bytes = 8;  // an fp32 partial sum, written and read

double cube(double value) { return value * value * value; }

// Share of the traffic that L2 does not serve, by working set and capacity: a soft threshold.
double miss_share(double working_set, double capacity) {
  const double ratio = working_set / capacity;
  const double z = cube(ratio * ratio);
  return z / (1 + z);
}

// Everything about the call that no tile changes, in SI units.
struct Call {
  const GemmShape& shape;
  double processors, processor_rate, l2, k_step, memory_time, split_pass, epilogue, hidden;
};

struct Candidate {
  double time = std::numeric_limits<double>::infinity();
  std::array<double, 6> terms{};  // tensor, L2, latency, memory, epilogue, split
};

Candidate candidate(const Call& call, const Tile& tile, double blocks, double split) {
  const GemmShape& shape = call.shape;
  const double x = blocks * split / call.processors;
  const double waves = std::ceil(x);
  const double quantised = waves + call.hidden * (std::max(x, 1.0) - waves);
  const double depth = k_step_elements * std::ceil(shape.k / split / k_step_elements);
  Candidate result;
  const double tensor =
      quantised * 2 * tile.rows * tile.columns * (depth + k_step_elements) / call.processor_rate;
  const double l2 = blocks * split * (tile.rows + tile.columns) * depth * shape.element / call.l2;
  const double latency = quantised * depth / k_step_elements * call.k_step;
  const double epilogue = wave_cost + quantised * tile.rows * tile.columns * shape.output / call.epilogue;
  const double pass =
      split > 1 ? call.split_pass + partial_bytes * split * shape.m * shape.n * shape.batch / call.l2 : 0;
  result.terms = {tensor, l2, latency, call.memory_time, epilogue, pass};
  result.time = std::cbrt(cube(tensor) + cube(l2) + cube(latency) + cube(call.memory_time)) + epilogue + pass;
  return result;
}

double memory_time(const GemmRates& rates, const GemmShape& shape, const GemmConditions& conditions) {
  const double a = shape.element * shape.m * shape.k * shape.batch,
               b = shape.element * shape.n * shape.k * shape.batch,
               c = shape.output * shape.m * shape.n * shape.batch;
  const double miss =
      conditions.cold ? 1 : miss_share(conditions.copies * b + a + c, rates.l2_capacity.value());
  const double memory = (rates.memory - conditions.taken).value();
  const double bytes = shape.traffic > Bytes(0) ? shape.traffic.value() : a + b + c;
  return bytes * (miss / memory + (1 - miss) / rates.resident.value());
}

// The largest absolute value of the activation is found, then it is read, written and read as fp8.
double quantisation_time(const GemmRates& rates, const GemmShape& shape, const GemmConditions& conditions) {
  const double elements = shape.m * shape.k;
  const double miss = conditions.cold ? 1 : miss_share(3 * elements, rates.l2_capacity.value());
  const double memory = (rates.memory - conditions.taken).value();
  return rates.quantise_start.value() +
         5 * rates.quantise_traffic * elements * (miss / memory + (1 - miss) / rates.resident.value());
}

}  // namespace

std::string_view to_string(GemmLimit limit) {
  constexpr std::array<std::string_view, 8> names{"start",  "tensor cores", "L2",    "latency",
                                                  "memory", "epilogue",     "split", "quantisation"};
  return names[static_cast<std::size_t>(limit)];
}

GemmTime gemm_time(const GemmRates& rates, int multiprocessors, const GemmShape& shape,
                   const GemmConditions& conditions) {
  const double all = multiprocessors;
  const Call call{shape,
                  std::max(all - conditions.busy, 1.0),
                  rates.rate.value() * conditions.clock / all,
                  rates.l2.value(),
                  rates.k_step.value() / conditions.clock,
                  memory_time(rates, shape, conditions),
                  rates.split.value(),
                  rates.epilogue.value(),
                  rates.hidden_waves};
  GemmTime result;
  Candidate best;
  for (const Tile& tile : tiles) {
    if ((tile.rows > 16 && tile.rows > 2 * shape.m) || (tile.columns > 64 && tile.columns > 2 * shape.n))
      continue;
    const double blocks = std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns) * shape.batch;
    for (double split = 1; split <= most_splits; split *= 2) {
      if (split > 1 && (shape.k / split < least_split_depth || blocks * split > 2 * call.processors)) break;
      const Candidate next = candidate(call, tile, blocks, split);
      if (next.time >= best.time) continue;
      best = next;
      result.tile_rows = static_cast<int>(tile.rows);
      result.tile_columns = static_cast<int>(tile.columns);
      result.split = static_cast<int>(split);
    }
  }
  const double quantisation = shape.quantise ? quantisation_time(rates, shape, conditions) : 0;
  result.time = rates.start + Seconds(best.time + quantisation);
  constexpr std::array limits{GemmLimit::tensor, GemmLimit::l2,       GemmLimit::latency,
                              GemmLimit::memory, GemmLimit::epilogue, GemmLimit::split};
  double largest = rates.start.value();
  for (std::size_t term = 0; term < limits.size(); ++term) {
    if (best.terms[term] <= largest) continue;
    largest = best.terms[term];
    result.limit = limits[term];
  }
  if (quantisation > largest) result.limit = GemmLimit::quantisation;
  return result;
}

Seconds corrected_gemm_time(const GemmRates& rates, int multiprocessors, const GemmShape& shape,
                            const GemmConditions& conditions) {
  return gemm_time(rates, multiprocessors, shape, conditions).time *
         rates.correction.factor(shape.m, shape.n, shape.k);
}

Seconds grouped_gemm_time(const GemmRates& rates, int multiprocessors, double groups, const GemmShape& each,
                          Grouping grouping, const GemmConditions& conditions) {
  if (grouping == Grouping::one_by_one)
    return gemm_time(rates, multiprocessors, each, conditions).time * groups;
  GemmShape all = each;
  all.batch *= groups;
  return gemm_time(rates, multiprocessors, all, conditions).time;
}

double benchmark_copies(Bytes bytes, Bytes l2) { return std::clamp(std::ceil(l2 / bytes), 1.0, 5.0); }

}  // namespace paceline
