// What backward computes again before it begins.
#pragma once

#include "sim/cost/transformer/dense_layer.h"

namespace paceline {

//   full        one forward of the layer with its exchanges
//   half        half of it: every second layer is recomputed
//   selective   the core of attention
//   operators   half of the products with their casts, everything element-wise, half of the exchanges
[[nodiscard]] Pass recomputed(Recompute policy, const Pass& forward, const TransformerHost& host);

}  // namespace paceline
