// How a model's variables are laid over parameter servers.
#pragma once

#include "sim/model/model.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// Share of all parameters that the fullest server keeps: between 1 / servers and 1. It sets the pace, since
// every worker needs all of it and gives all of it back in each step.
[[nodiscard]] double fullest_share(const Model& model, int servers, Placement placement);

}  // namespace paceline
