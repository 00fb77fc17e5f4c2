#include "sim/cost/kernel/attention_time.h"

#include <algorithm>
#include <cmath>

#include "sim/cost/kernel/memory_time.h"

namespace paceline {
namespace {

double cube(double value) { return value * value * value; }
double fourth(double value) { return value * value * value * value; }
double fourth_root(double value) { return std::sqrt(std::sqrt(value)); }

// Tiles of scores that a kernel works through.
struct Tiles {
  double side = 128;   // of a tile, in queries and in keys
  double query = 0;    // tiles of one head's queries
  double visible = 0;  // tiles of one head with a visible score
  double longest = 0;  // of one query tile
};

Tiles tiles_of(const AttentionCall& shape) {
  Tiles tiles;
  tiles.side = std::clamp(std::exp2(std::ceil(std::log2(shape.queries))), 16.0, 128.0);
  tiles.query = std::ceil(shape.queries / tiles.side);
  const double keys = std::ceil(shape.keys / tiles.side);
  const double most = shape.window > 0 ? std::min(keys, std::ceil(shape.window / tiles.side) + 1) : keys;
  if (!shape.causal) {
    tiles.visible = tiles.query * most;
    tiles.longest = most;
    return tiles;
  }
  // Query tile i sees `before` + i tiles, up to `most`.
  const double before = std::max(keys - tiles.query, 0.0);
  const double growing = std::clamp(most - before, 0.0, tiles.query);  // tiles that see fewer than `most`
  tiles.visible = growing * (2 * before + growing + 1) / 2 + (tiles.query - growing) * most;
  tiles.longest = std::min(before + tiles.query, most);
  return tiles;
}

// The rate at a head size: between two known ones by proportion, outside that of the nearest.
template <class Rate>
Rate rate_at(const std::map<double, Rate>& rates, double head) {
  const auto above = rates.lower_bound(head);
  if (above == rates.begin()) return above->second;
  if (above == rates.end()) return rates.rbegin()->second;
  const auto below = std::prev(above);
  const double share = (head - below->first) / (above->first - below->first);
  return below->second * (1 - share) + above->second * share;
}

double mean_head(const AttentionCall& shape) { return (shape.head + shape.value_head) / 2; }

struct TileTimes {
  double total, longest, per_processor;
};

TileTimes tile_times(const Tiles& tiles, const AttentionCall& shape, double rate, int multiprocessors,
                     const GemmConditions& conditions) {
  const double all = multiprocessors, free = std::max(all - conditions.busy, 1.0);
  const double one = 4 * tiles.side * tiles.side * mean_head(shape) / (rate * conditions.clock / all);
  const double heads = shape.batch * shape.heads;
  return {heads * tiles.visible * one / free, tiles.longest * one, heads * tiles.query / free};
}

}  // namespace

Flops attention_work(const AttentionCall& shape) {
  double scores = shape.queries * shape.keys;
  if (shape.causal) scores -= shape.queries * (shape.queries - 1) / 2;
  if (shape.window > 0) scores = std::min(scores, shape.queries * shape.window);
  return Flops(4 * shape.batch * shape.heads * mean_head(shape) * scores);
}

Bytes attention_bytes(const AttentionCall& shape) {
  const double heads = shape.queries * shape.heads + shape.keys * shape.key_heads;
  return Bytes(shape.element * shape.batch * heads * (shape.head + shape.value_head));
}

Seconds fused_attention_time(const AttentionRates& rates, int multiprocessors, const AttentionCall& shape,
                             const GemmConditions& conditions) {
  const Tiles tiles = tiles_of(shape);
  const TileTimes time =
      tile_times(tiles, shape, rate_at(rates.rate, mean_head(shape)).value(), multiprocessors, conditions);
  const double blocks = tiles.longest * rates.k_block.value();
  const double compute = std::cbrt(cube(time.total) + cube(rates.longest * time.longest) + cube(blocks)) +
                         rates.longest_tail * time.longest * std::min(1.0, time.per_processor);
  const double memory = (attention_bytes(shape) / (rates.memory - conditions.taken)).value();
  const double rows = std::max(1.0, time.per_processor) * rates.row.value();
  return rates.start + Seconds(fourth_root(fourth(rates.floor.value()) + fourth(compute + rows + memory)));
}

Seconds training_attention_time(const TrainingAttentionRates& rates, const AttentionRates* by_head,
                                BytesPerSecond memory, int multiprocessors, const AttentionCall& shape,
                                Direction direction, const GemmConditions& conditions) {
  const bool latent = shape.head != shape.value_head && rates.latent_forward > FlopsPerSecond(0);
  double rate = (latent ? rates.latent_forward : rates.forward).value();
  if (!latent && !rates.by_head.empty())
    rate *= rate_at(rates.by_head, mean_head(shape));
  else if (!latent && by_head)
    rate *= rate_at(by_head->rate, mean_head(shape)) / rate_at(by_head->rate, 128);
  const bool back = direction == Direction::backward;
  if (back) rate *= latent ? rates.latent_backward_rate : rates.backward_rate;
  const double products = back ? 2.5 : 1, passes = back ? 2 : 1;  // of work, and over the operands
  const Tiles tiles = tiles_of(shape);
  const TileTimes time = tile_times(tiles, shape, rate, multiprocessors, conditions);
  const double compute = products * std::cbrt(cube(time.total) + cube(rates.longest * time.longest));
  const double traffic = passes * (attention_bytes(shape) / (memory - conditions.taken)).value();
  const Seconds start = back ? rates.backward_start : rates.forward_start;
  return start + Seconds(fourth_root(fourth(compute) + fourth(traffic)));
}

Seconds unfused_attention_time(const GemmRates& rates, int multiprocessors, const AttentionCall& shape,
                               const UnfusedAttention& kind, Direction direction,
                               const GemmConditions& conditions) {
  const double batch = shape.batch * shape.heads;
  const GemmShape scores{shape.queries, shape.keys, shape.head, batch, shape.element, shape.element};
  const GemmShape context{shape.queries, shape.value_head, shape.keys, batch, shape.element, shape.element};
  const double times = direction == Direction::backward ? 2 : 1;  // of each, two gradients
  Seconds sum = (gemm_time(rates, multiprocessors, scores, conditions).time +
                 gemm_time(rates, multiprocessors, context, conditions).time) *
                times;
  const double elements = batch * shape.queries * shape.keys;
  const MemoryRates memory{rates.memory - conditions.taken, rates.start};
  const auto softmax = kind.fused_softmax ? MemoryOperator::softmax : MemoryOperator::eager_masked_softmax;
  sum += memory_time(memory, operator_traffic(softmax, direction, elements, shape.element));
  if (kind.dropout)
    sum += memory_time(memory, operator_traffic(MemoryOperator::dropout, direction, elements, shape.element));
  return sum;
}

}  // namespace paceline
