// The work of one rank of a transformer that is split by tensor, sequence, context and expert parallelism, by
// the rules of its framework.
#pragma once

#include "sim/cost/kernel/kernel_rates.h"
#include "sim/cost/transformer/pass.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/device.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/model/model.h"
#include "sim/strategy/framework.h"
#include "sim/strategy/strategy.h"

namespace paceline {

struct TransformerRequest {
  const Model& model;
  const Strategy& strategy;
  const Framework& framework;  // with transformer rules
  const Mesh& mesh;
  const Device& device;
  const KernelRates& rates;  // of the device
  const Cluster& cluster;
  Precision precision = Precision::bf16;
  double micro_batch = 1;
  const HardwareCatalog* hardware = nullptr;  // for mixtures of experts: rates at which tokens reach them
};

// Gradient accumulation outside of the products, copies of sharded parameters, their gathers and reductions
// are not in the passes.
// Throws InputError when the model has no blocks, heads, widths or experts do not divide by the degrees (with
// the arithmetic), or nothing is known of the framework's mixtures of experts.
[[nodiscard]] TransformerWork transformer_work(const TransformerRequest& request);

// Time of memory-bound kernels that move `bytes` in all, by the framework's factor: accumulation, copies of
// flat parameters.
[[nodiscard]] Seconds streaming_time(const TransformerRequest& request, Bytes bytes);

// Time of the optimizer step over `parameters` of a rank's shard, of which a rank holds `held` in all.
[[nodiscard]] Seconds optimizer_step_time(const TransformerRequest& request, double parameters, double held);

}  // namespace paceline
