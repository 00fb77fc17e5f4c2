// One transformer layer as a unit: its parts with norms and residual adds, what is computed again, the host.
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/cost/transformer/transformer_work.h"

namespace paceline {

[[nodiscard]] Unit layer_unit(const TransformerRequest& request, const LayerContext& context,
                              const Block& block);

}  // namespace paceline
