// SplitStep: a step of a transformer over a mesh, ready to be planned or estimated: which units stand on
// which stage, what each takes, which switches the framework and the strategy settle on.
#pragma once

#include <memory>
#include <vector>

#include "sim/cost/transformer/group_times.h"
#include "sim/cost/transformer/pass_time.h"
#include "sim/cost/transformer/transformer_work.h"
#include "sim/strategy/pipeline.h"

namespace paceline {

constexpr double gathered_bytes = 2;  // of a gathered parameter: it computes in 16 bit

// The strategy's choices, else the framework's.
struct SplitSwitches {
  int zero_stage = 0;
  bool overlap_gradients = true;      // reduced beside backward
  bool overlap_parameters = true;     // gathered beside forward
  bool overlap_pipeline = false;      // sends and receives do not hold up compute
  bool synchronise_last_only = true;  // gradients are reduced after the last micro-batch alone
  bool reshard_after_forward = true;
  double gradient_bytes = 4;   // of an element when it is reduced
  double bucket_elements = 0;  // of gradients, and of parameters that are gathered together
  double slowdown = 0;         // of compute beside reductions and gathers
};
[[nodiscard]] SplitSwitches switches_of(const Strategy& strategy, const TransformerRules& rules,
                                        int data_ranks);

// A unit with its times. Equal layers share one.
struct UnitCost {
  Unit unit;
  PassTime forward, recompute, backward;
  Seconds accumulation;  // of its gradients outside the product, a micro-batch
  Seconds copies;        // of flat parameters (forward) and gradients (backward), sharded data parallelism
  Seconds gradient_copies;

  [[nodiscard]] Seconds forward_time() const { return forward.total() + copies; }
  [[nodiscard]] Seconds backward_time() const {
    return recompute.total() + backward.total() + accumulation + copies + gradient_copies;
  }
};

// Units that stand together at one place of the model: one chunk of a stage. Indices into SplitStep::units.
struct PlaceWork {
  std::vector<std::size_t> units;
  Seconds forward, backward;   // of a micro-batch
  double weight_backward = 0;  // share of backward
  double dense_parameters = 0, expert_parameters = 0;
  int layers = 0;
};

struct SplitStep {
  // Keeps a mesh of its own; the rest of the request need not outlive the call. Throws InputError where the
  // degrees do not fit model or micro-batches.
  static std::unique_ptr<SplitStep> make(const TransformerRequest& request, const CollectiveCost& collectives,
                                         int micro_batches);
  SplitStep(const SplitStep&) = delete;
  SplitStep& operator=(const SplitStep&) = delete;

  Mesh mesh;
  GroupTimes groups;
  SplitSwitches switches;
  TransformerWork work;
  std::vector<UnitCost> units;
  PipelineShape pipeline;
  std::vector<PlaceWork> places;   // along the model
  std::vector<Seconds> optimizer;  // by stage
  Seconds norm_exchange;           // of scalars, before the optimizer step
  double jitter = 1;               // on everything that computes

  // Chunks of a stage, as places.
  [[nodiscard]] std::vector<int> places_of_stage(int stage) const;
  [[nodiscard]] double parameters_of_stage(int stage, bool experts) const;
  [[nodiscard]] int micro_batches() const { return pipeline.micro_batches; }

 private:
  SplitStep(const TransformerRequest& request, const CollectiveCost& collectives, int micro_batches);
  void add_units(const TransformerRequest& request);
  void place_units(const TransformerRequest& request);
  [[nodiscard]] std::vector<Seconds> times_of(const std::vector<std::size_t>& indices) const;
  [[nodiscard]] Seconds time_of(const std::vector<std::size_t>& indices) const;
  void add_optimizer(const TransformerRequest& request);
};

// What each layer takes, and what stands before the first and after the last: embedding, head.
struct LayerCosts {
  std::vector<Seconds> layers;
  Seconds before, after;
};
// Layers at each place such that the slowest place is as fast as can be; the last places have fewer where
// that leaves a choice. At least one layer each, but for a last place whose head alone is the slowest.
[[nodiscard]] std::vector<int> balanced_places(const LayerCosts& costs, int places);

// Layers at each place: as even as possible, or as the strategy says; the first and last places are the first
// to have fewer. With `embedding_counts` the embedding and the head each take the place of a layer.
[[nodiscard]] std::vector<int> layers_of_places(int layers, int places, const Parallelism& parallelism);

}  // namespace paceline
