// What a transformer keeps for backward under other attention kernels and with recomputation.
#pragma once

#include "sim/model/model.h"

namespace paceline {

enum class KeptAttention {
  eager,      // scores, probabilities and the dropout mask in memory: heads x queries x keys each
  fused,      // the log-sum-exp instead, 4 bytes a head and query
  recomputed  // queries, keys and values only (selective recomputation, Korthikanti et al. 2022)
};

// Bytes that backward needs of one sample, without those kept once per call.
[[nodiscard]] Bytes saved_per_sample(const Model& model, Bytes element);
// The same with another attention kernel than the model was built with.
[[nodiscard]] Bytes saved_per_sample(const Model& model, Bytes element, KeptAttention attention);
// With every block recomputed in backward: the blocks' inputs, one block whole, and what is outside of
// blocks.
[[nodiscard]] Bytes saved_with_blocks_recomputed(const Model& model, Bytes element, KeptAttention attention);

}  // namespace paceline
