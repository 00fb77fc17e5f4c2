// Time of one matrix product C[m,n] = A[m,k] B[k,n] on one device.
//
//   bytes = e (m k + n k) + o m n, served at `memory` for the share `miss` and at `resident` for the rest
//   for each of six tiles tm x tn and each split of k in 1, 2, 4 .. 32:
//     x  = blocks x split / S, W = ceil(x), Wq = W + hidden (max(x, 1) - W)
//     ks = 64 ceil(k / split / 64)
//     tensor  = Wq 2 tm tn (ks + 64) / (rate / S)      64: filling the pipeline
//     l2      = blocks split (tm + tn) ks e / l2
//     latency = Wq ks / 64 k_step
//     t = cbrt(tensor^3 + l2^3 + latency^3 + memory^3) + 0.3 us + Wq tm tn o / epilogue
//         [+ split pass + 8 split m n / l2]
//   time = start + the least t [+ dynamic quantisation to fp8: its start + 5 traffic m k bytes]
//
// The clock acts on rate and k_step; fewer free processors leave each as fast as before.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/quantity.h"
#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

struct GemmShape {
  double m = 0, n = 0, k = 0;
  double batch = 1;    // equal products of one launch
  double element = 2;  // bytes of an operand's element
  // Bytes moved an element of C: 2 for 16 bit, 4 for fp32, 8 when it is added to fp32 in place.
  double output = 2;
  Bytes traffic = Bytes(0);  // of all operands, where it is not e (m k + n k) + o m n; 0: it is
  bool quantise = false;     // A is cast to fp8 on the way, with a scale found on the spot
};

// What the kernel finds on the device.
struct GemmConditions {
  bool cold =
      true;  // operands come from memory, as in a training step; else those of the last call may be in L2
  double copies = 1;                         // not cold: copies of B that take turns
  double clock = 1;                          // of the burst clock
  int busy = 0;                              // processors that communication holds
  BytesPerSecond taken = BytesPerSecond(0);  // of the memory's rate, by communication
};

// The term that takes longest: what a user can act on.
enum class GemmLimit : std::uint8_t { start, tensor, l2, latency, memory, epilogue, split, quantisation };
[[nodiscard]] std::string_view to_string(GemmLimit limit);

struct GemmTime {
  Seconds time;
  GemmLimit limit = GemmLimit::start;
  int tile_rows = 0, tile_columns = 0, split = 1;
};

// Without the correction grid.
[[nodiscard]] GemmTime gemm_time(const GemmRates& rates, int multiprocessors, const GemmShape& shape,
                                 const GemmConditions& conditions = {});
// With it.
[[nodiscard]] Seconds corrected_gemm_time(const GemmRates& rates, int multiprocessors, const GemmShape& shape,
                                          const GemmConditions& conditions = {});

// `groups` products of the same n and k with m rows each. Libraries either launch one after another, or run
// all tiles in one kernel.
enum class Grouping : std::uint8_t { one_by_one, fused };
[[nodiscard]] Seconds grouped_gemm_time(const GemmRates& rates, int multiprocessors, double groups,
                                        const GemmShape& each, Grouping grouping,
                                        const GemmConditions& conditions = {});

// Copies of a weight of `bytes` that a benchmark rotates to keep it out of a cache of `l2`: as many as fill
// it, 5 at most.
[[nodiscard]] double benchmark_copies(Bytes bytes, Bytes l2);

}  // namespace paceline
