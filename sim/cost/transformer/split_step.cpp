#include "sim/cost/transformer/split_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace paceline {
namespace {

PipelineShape pipeline_of(const Strategy& strategy, int micro_batches) {
  const Degrees& degrees = strategy.parallel.degrees;
  const PipelineSchedule usual =
      degrees.virtual_stages > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_forward_one_backward;
  return {strategy.parallel.schedule.value_or(usual), degrees.pipeline, degrees.virtual_stages, micro_batches,
          strategy.parallel.microbatch_group.value_or(0)};
}

// Nothing is known of optimizers that run on a host, nor of what NVMe drives deliver to them.
void refuse_offload(const Parallelism& parallel) {
  const auto refuse = [](const char* field, Offload offload) {
    if (offload == Offload::none) return;
    throw InputError(field, fmt::format("\"{}\"", offload_names()[static_cast<std::size_t>(offload)]),
                     "\"none\": the time of steps that offload is not modelled", "keep it on the devices");
  };
  refuse("offload_optimizer", parallel.offload_optimizer);
  refuse("offload_parameters", parallel.offload_parameters);
}

// Ranks wait for the slowest of them, and there are more to wait for.
double jitter_of(const TransformerRules& rules, int ranks) {
  constexpr double usual = 8;  // of the runs that the other constants are known from
  return ranks > usual ? 1 + rules.step.jitter * std::log2(ranks / usual) : 1;
}

}  // namespace

SplitSwitches switches_of(const Strategy& strategy, const TransformerRules& rules, int data_ranks) {
  const Parallelism& parallel = strategy.parallel;
  SplitSwitches switches;
  switches.zero_stage = zero_stage_of(strategy);
  const bool sharded = switches.zero_stage == 3, piped = parallel.degrees.pipeline > 1;
  switches.overlap_gradients =
      parallel.overlap_gradients.value_or(strategy.overlap.value_or(rules.gradients.overlap));
  switches.overlap_parameters =
      parallel.overlap_parameters.value_or(strategy.overlap.value_or(rules.gradients.overlap_parameters));
  switches.overlap_pipeline =
      parallel.degrees.virtual_stages > 1 && parallel.pipeline_overlap.value_or(rules.pipeline_overlap);
  switches.synchronise_last_only = parallel.synchronise_last_only.value_or(switches.zero_stage < 2 || piped);
  switches.reshard_after_forward = sharded && !piped && parallel.reshard_after_forward.value_or(true);
  switches.gradient_bytes = parallel.gradient_bytes.value_or(rules.gradients.bytes);
  // Latency of a ring grows with the ranks, so that Megatron's buckets do.
  constexpr double elements_a_rank = 1e6;
  switches.bucket_elements = strategy.bucket_cap
                                 ? strategy.bucket_cap->value() / switches.gradient_bytes
                                 : std::max(rules.gradients.bucket_elements, elements_a_rank * data_ranks);
  switches.slowdown = sharded ? rules.shards.slowdown : rules.gradients.slowdown;
  return switches;
}

std::unique_ptr<SplitStep> SplitStep::make(const TransformerRequest& request,
                                           const CollectiveCost& collectives, int micro_batches) {
  refuse_offload(request.strategy.parallel);
  std::unique_ptr<SplitStep> step(new SplitStep(request, collectives, micro_batches));
  step->add_units(request);
  step->place_units(request);
  step->add_optimizer(request);
  return step;
}

SplitStep::SplitStep(const TransformerRequest& request, const CollectiveCost& collectives, int micro_batches)
    : mesh(request.mesh),
      groups(collectives, mesh),
      switches(
          switches_of(request.strategy, *request.framework.transformer, mesh.group(GroupKind::data).size)),
      work(transformer_work(request)),
      pipeline(pipeline_of(request.strategy, micro_batches)),
      jitter(jitter_of(*request.framework.transformer, mesh.ranks())) {
  check(pipeline);
}

void SplitStep::add_units(const TransformerRequest& request) {
  const TransformerRules& rules = *request.framework.transformer;
  const bool accumulates = micro_batches() > 1 && !rules.accumulates_in_product && switches.zero_stage < 3;
  for (const Unit& unit : work.units) {
    UnitCost cost;
    cost.unit = unit;
    cost.forward = pass_time(unit.forward, groups);
    cost.recompute = pass_time(unit.recompute, groups);
    cost.backward = pass_time(unit.backward, groups);
    const double parameters = unit.dense_parameters + unit.expert_parameters;
    if (accumulates)
      cost.accumulation = streaming_time(request, Bytes(parameters * rules.gradients.accumulation_bytes));
    if (switches.zero_stage == 3) {
      cost.copies = streaming_time(request, Bytes(parameters * rules.shards.copy_bytes / 2));
      cost.gradient_copies = streaming_time(request, Bytes(parameters * 2 * switches.gradient_bytes));
    }
    units.push_back(std::move(cost));
  }
}

std::vector<Seconds> SplitStep::times_of(const std::vector<std::size_t>& indices) const {
  std::vector<Seconds> times;
  for (const std::size_t index : indices)
    times.push_back(units[index].forward_time() + units[index].backward_time());
  return times;
}

Seconds SplitStep::time_of(const std::vector<std::size_t>& indices) const {
  Seconds sum;
  for (const Seconds& time : times_of(indices)) sum += time;
  return sum;
}

void SplitStep::place_units(const TransformerRequest& request) {
  std::vector<std::size_t> layers;
  std::vector<std::size_t> before, after;  // of the layers
  for (std::size_t index = 0; index < units.size(); ++index) {
    const Unit& unit = units[index].unit;
    if (unit.kind == UnitKind::layer)
      layers.insert(layers.end(), static_cast<std::size_t>(unit.alike), index);
    else
      (unit.kind == UnitKind::embedding ? before : after).push_back(index);
  }
  const int count = places_in_model(pipeline);
  const Parallelism& parallel = request.strategy.parallel;
  const bool balances = parallel.stage_layers.empty() &&
                        parallel.balance_stages.value_or(request.framework.transformer->balances_stages);
  const std::vector<int> counts =
      balances && static_cast<int>(layers.size()) >= count
          ? balanced_places({times_of(layers), time_of(before), time_of(after)}, count)
          : layers_of_places(static_cast<int>(layers.size()), count, parallel);
  std::size_t next = 0;
  for (int place = 0; place < count; ++place) {
    PlaceWork work_here;
    work_here.layers = counts[static_cast<std::size_t>(place)];
    if (place == 0) work_here.units = before;
    for (int layer = 0; layer < work_here.layers; ++layer) work_here.units.push_back(layers[next++]);
    if (place + 1 == count) work_here.units.insert(work_here.units.end(), after.begin(), after.end());
    Seconds weights;
    for (const std::size_t index : work_here.units) {
      const UnitCost& cost = units[index];
      work_here.forward += cost.forward_time() * jitter;
      work_here.backward += cost.backward_time() * jitter;
      weights += cost.backward.total() * (cost.unit.weight_backward * jitter);
      work_here.dense_parameters += cost.unit.dense_parameters;
      work_here.expert_parameters += cost.unit.expert_parameters;
    }
    if (work_here.backward > Seconds(0)) work_here.weight_backward = weights / work_here.backward;
    places.push_back(std::move(work_here));
  }
}

std::vector<int> SplitStep::places_of_stage(int stage) const {
  std::vector<int> result;
  for (int chunk = 0; chunk < pipeline.chunks; ++chunk)
    result.push_back(place_in_model(pipeline, stage, chunk));
  return result;
}

double SplitStep::parameters_of_stage(int stage, bool experts) const {
  double sum = 0;
  for (const int place : places_of_stage(stage)) {
    const PlaceWork& here = places[static_cast<std::size_t>(place)];
    sum += experts ? here.expert_parameters : here.dense_parameters;
  }
  return sum;
}

void SplitStep::add_optimizer(const TransformerRequest& request) {
  const TransformerRules& rules = *request.framework.transformer;
  const double shards = switches.zero_stage > 0 ? mesh.group(GroupKind::shards).size : 1;
  const double expert_shards = switches.zero_stage > 0 ? mesh.group(GroupKind::expert_data).size : 1;
  for (int stage = 0; stage < pipeline.stages; ++stage) {
    const double dense = parameters_of_stage(stage, false), expert = parameters_of_stage(stage, true);
    Seconds time = optimizer_step_time(request, dense / shards + expert / expert_shards, dense + expert);
    if (switches.zero_stage == 3) {
      int layers = 0;
      for (const int place : places_of_stage(stage)) layers += places[static_cast<std::size_t>(place)].layers;
      time += rules.shards.host_layer * layers;
    }
    optimizer.push_back(time * jitter);
  }
  constexpr int scalars = 4;  // norm, overflow, loss, tokens: one small all-reduce each
  norm_exchange =
      groups.of(CollectiveKind::all_reduce, Bytes(sizeof(double)), GroupKind::world).total() * scalars;
}

}  // namespace paceline
