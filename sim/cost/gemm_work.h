// Tile and wave quantisation of a matrix product.
#pragma once

#include "base/quantity.h"

namespace paceline {

// The work that C[m,n] = A[m,k] B[k,n] costs on `multiprocessors` processors, as FLOP at full rate: the least
// over a library's tiles and split-K factors of
//   Wq S 2 tm tn (32 ceil(k / split / 32) + 64) / efficiency of the tile [x 1.05 when split]
// with S processors, W = ceil(x) waves of x = blocks x split / S, and Wq = W + 0.7 (max(x, 1) - W), since the
// last wave of a persistent or uneven kernel is partly hidden. At least 2 m n k.
[[nodiscard]] Flops quantised_gemm_work(double m, double n, double k, int multiprocessors);

}  // namespace paceline
