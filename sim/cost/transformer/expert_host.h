// Host time of launching one layer with experts: attention, router and preprocessing, and every expert that
// is a product of its own; what CUDA graphs leave of it.
#pragma once

#include "sim/cost/transformer/layer_context.h"
#include "sim/model/model.h"

namespace paceline {

struct ExpertHost {
  Seconds forward, backward;
  // The host waits for the counts of tokens before it launches the experts: comes on top of the layer's time,
  // whether host or device binds. 0 with a fixed capacity or a graph of the whole iteration.
  Seconds synchronisation;
};
[[nodiscard]] ExpertHost expert_host(const LayerContext& context, const Block& block);

// Writes them to a whole layer: the synchronisation becomes a step of forward too.
void add_expert_host(LayerPart& layer, const LayerContext& context, const Block& block);

}  // namespace paceline
