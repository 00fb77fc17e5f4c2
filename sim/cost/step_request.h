// What a training step is made of: the one input of the planner and of the closed-form estimate.
#pragma once

#include "sim/cost/collective_cost.h"
#include "sim/cost/kernel_cost.h"
#include "sim/cost/transformer/split_step.h"
#include "sim/model/model.h"
#include "sim/strategy/framework.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// Factors on the modelled time of each part, from times measured on one device. 1 = as modelled.
struct ComputeScale {
  double forward = 1, backward = 1, optimizer = 1;
};

struct StepRequest {
  const Model& model;
  const Strategy& strategy;
  const Framework& framework;
  const KernelCost& kernels;
  const CollectiveCost& collectives;
  int devices = 1;
  int devices_per_node = 1;
  int batch_per_device = 1;  // of a micro-batch
  int scattered_batch = 1;   // nn.DataParallel: what it scatters over the devices
  ComputeScale scale;
  Seconds input{};                   // of the loaders that fetch the next step's samples beside this one
  const SplitStep* split = nullptr;  // of transformers that are split over a mesh
};

// Throws InputError when the devices stand in several nodes, which one process (nn.DataParallel) cannot
// reach.
void require_one_node(const StepRequest& request);

// Compute time of one micro-batch's forward and backward on one device.
struct ComputeTime {
  Seconds forward, backward;
  double forward_operators = 0, backward_operators = 0;
};
[[nodiscard]] ComputeTime compute_time(const StepRequest& request, int batch);

// Expected excess of the slowest of `ranks` over the mean, over the whole step: spread * sqrt(2 ln ranks) *
// compute (the leading term of the expected maximum of normal variables).
[[nodiscard]] Seconds arrival_spread(const StepRequest& request, int ranks, int batch);

}  // namespace paceline
