// LayerContext of a request: rates in its precision, at the clock that the device keeps, and the attention
// kernels of its framework.
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/cost/transformer/transformer_work.h"

namespace paceline {

// Throws InputError when the device's rates know no products in the precision, or none in 8 bit where the
// strategy asks for them.
[[nodiscard]] LayerContext layer_context_of(const TransformerRequest& request);

}  // namespace paceline
