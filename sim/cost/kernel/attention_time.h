// Time of attention: fused kernels that keep the scores on chip, and the unfused sequence of two products and
// a softmax.
//
//   Tq = 2^ceil(log2 s) in [16, 128]; nq = ceil(s / Tq); D the mean of the two head sizes
//   u  = 4 Tq^2 D / (R / S)                one tile of scores, both products
//   total = b h (visible tiles) u / S      longest = most tiles of one query tile x u
//   x  = b h nq / S
//   fused forward, as inference libraries do it (with the split of QKV, rotary embedding, cache):
//     tc = cbrt(total^3 + (g longest)^3 + (tiles of the longest k_block)^3) + a longest min(1, x)
//     t  = start + (floor^4 + (tc + max(1, x) row + bytes / memory)^4)^(1/4)
//   in training:
//     t  = start + ((cbrt(total^3 + (g longest)^3))^4 + (bytes / memory)^4)^(1/4)
//   backward: 2.5 times the work (five products, one of them again) at a share of forward's rate
// The longest query tile binds for long sequences with few heads.
#pragma once

#include "base/quantity.h"
#include "sim/cost/kernel/direction.h"
#include "sim/cost/kernel/gemm_time.h"
#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

struct AttentionCall {
  double batch = 1;
  double queries = 0, keys = 0;  // lengths; causal: the last query sees all keys
  double heads = 1, key_heads = 1;
  double head = 128, value_head = 128;  // query-key and value size
  bool causal = true;
  double window = 0;  // keys that a query sees at most; 0: all
  double element = 2;
};

// Multiply-adds times two of the visible part of the two products: 4 b h D (visible scores).
[[nodiscard]] Flops attention_work(const AttentionCall& shape);
// Query, key, value and output, once.
[[nodiscard]] Bytes attention_bytes(const AttentionCall& shape);

[[nodiscard]] Seconds fused_attention_time(const AttentionRates& rates, int multiprocessors,
                                           const AttentionCall& shape, const GemmConditions& conditions = {});

// `by_head` gives the share of the rate at other head sizes than 128, where the rates do not say; `memory` is
// the rate of the device's memory. conditions.clock counts from the clock at which the rates were found.
[[nodiscard]] Seconds training_attention_time(const TrainingAttentionRates& rates,
                                              const AttentionRates* by_head, BytesPerSecond memory,
                                              int multiprocessors, const AttentionCall& shape,
                                              Direction direction, const GemmConditions& conditions = {});

// Scores and context as batched products, scale, mask and softmax between them (one kernel or one each), and
// dropout on the scores if asked for. The masked half is computed like the rest.
struct UnfusedAttention {
  bool fused_softmax = true;
  bool dropout = false;
};
[[nodiscard]] Seconds unfused_attention_time(const GemmRates& rates, int multiprocessors,
                                             const AttentionCall& shape, const UnfusedAttention& kind,
                                             Direction direction, const GemmConditions& conditions = {});

}  // namespace paceline
