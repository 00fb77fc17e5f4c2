// The closed form of a transformer that is split over a mesh.
//
//   pipeline   m max(f + b) + (sum(f + b) - max(f + b)) / v            GPipe, 1F1B, interleaved
//              m max(f + b) + (p - 1) (f + bi - w) at its slowest      ZB-H1;  0 beyond of ZB-V
//              m max(f + b) + (p / 2 - 1) (f + b + b - 3 w)            DualPipe
//   sends      2 (p - 1) + 2 (m - 1) without interleaving; 2 (p - 1) + 2 m v interleaved and not overlapped
//   gradients  max(last bucket, t - window) + slowdown min(t, window) beside the last backward, else t
//   sharded    a unit: max(f + k min(f, g), g) forward, max(b + k min(b, g + r), g + r) backward, with the
//              first gather and the last reduction on their own
#include <algorithm>

#include "sim/analytic/strategies.h"

namespace paceline {
namespace {

class SplitEstimate {
 public:
  explicit SplitEstimate(const StepRequest& request)
      : step_(*request.split), rules_(*request.framework.transformer) {}

  Estimate result() {
    estimate_.compute = slowest() * step_.micro_batches();
    if (step_.switches.zero_stage == 3 && step_.pipeline.stages == 1)
      add_sharded();
    else
      add_pipeline();
    add_end();
    return estimate_;
  }

 private:
  [[nodiscard]] Seconds time_of_stage(int stage, bool backward) const {
    Seconds sum;
    for (const int place : step_.places_of_stage(stage)) {
      const PlaceWork& here = step_.places[static_cast<std::size_t>(place)];
      sum += backward ? here.backward : here.forward;
    }
    // Each of DualPipe's copies sees half of the micro-batches.
    return step_.pipeline.schedule == PipelineSchedule::dual_pipe ? sum / 2 : sum;
  }
  [[nodiscard]] Seconds time_of_stage(int stage) const {
    return time_of_stage(stage, false) + time_of_stage(stage, true);
  }
  [[nodiscard]] Seconds slowest() const {
    Seconds most;
    for (int stage = 0; stage < step_.pipeline.stages; ++stage) most = std::max(most, time_of_stage(stage));
    return most;
  }

  [[nodiscard]] Seconds bubble() const {
    const PipelineShape& shape = step_.pipeline;
    Seconds all, backward, weights;
    for (int stage = 0; stage < shape.stages; ++stage) {
      all += time_of_stage(stage);
      backward += time_of_stage(stage, true);
      for (const int place : step_.places_of_stage(stage)) {
        const PlaceWork& here = step_.places[static_cast<std::size_t>(place)];
        weights += here.backward * here.weight_backward;
      }
    }
    const Seconds most = slowest(), mean = all / shape.stages, weight = weights / shape.stages;
    switch (shape.schedule) {
      case PipelineSchedule::zero_bubble_h1:
        return std::max(Seconds(0), mean - weight * 2) * (shape.stages - 1);
      case PipelineSchedule::zero_bubble_v:
        return Seconds(0);
      case PipelineSchedule::dual_pipe:
        return std::max(Seconds(0), mean + backward / shape.stages - weight * 1.5) * (shape.stages / 2.0 - 1);
      default:
        return (all - most) / shape.chunks;
    }
  }

  [[nodiscard]] Seconds sends() const {
    const PipelineShape& shape = step_.pipeline;
    if (shape.stages == 1) return Seconds(0);
    const double ramp = 2.0 * (shape.stages - 1), m = shape.micro_batches;
    double steady = shape.chunks > 1 ? 2 * m * shape.chunks : 2 * (m - 1);
    if (step_.switches.overlap_pipeline) steady = 0;
    return step_.groups.between_stages(step_.work.boundary).total() * (ramp + steady);
  }

  [[nodiscard]] Seconds collective(CollectiveKind kind, double elements, double bytes,
                                   GroupKind group) const {
    if (!(elements > 0) || step_.mesh.group(group).size < 2) return Seconds(0);
    return step_.groups.of(kind, Bytes(elements * bytes), group).total();
  }
  [[nodiscard]] Seconds gather(double dense, double expert) const {
    return collective(CollectiveKind::all_gather, dense, gathered_bytes, GroupKind::shards) +
           collective(CollectiveKind::all_gather, expert, gathered_bytes, GroupKind::expert_data);
  }
  [[nodiscard]] Seconds reduction(double dense, double expert) const {
    const double bytes = step_.switches.gradient_bytes;
    if (step_.switches.zero_stage == 0)
      return collective(CollectiveKind::all_reduce, dense, bytes, GroupKind::data) +
             collective(CollectiveKind::all_reduce, expert, bytes, GroupKind::expert_data);
    const double shards = step_.mesh.group(GroupKind::shards).size;
    return collective(CollectiveKind::reduce_scatter, dense, bytes, GroupKind::shards) +
           collective(CollectiveKind::all_reduce, dense / shards, bytes, GroupKind::replicas) +
           collective(CollectiveKind::reduce_scatter, expert, bytes, GroupKind::expert_data);
  }

  struct Traffic {
    Seconds time, exposed;
    Traffic& operator+=(const Traffic& other) {
      time += other.time;
      exposed += other.exposed;
      return *this;
    }
  };
  // What a communication adds beside compute of `window`.
  [[nodiscard]] Traffic beside(Seconds time, Seconds window) const {
    const Seconds hidden = std::min(time, window);
    return {time, time - hidden + hidden * step_.switches.slowdown};
  }

  void add_pipeline() {
    const Seconds between = sends();
    Traffic worst;
    for (int stage = 0; stage < step_.pipeline.stages; ++stage) {
      Traffic traffic = gradients(stage);
      traffic += parameters(stage);
      if (traffic.exposed > worst.exposed || stage == 0) worst = traffic;
    }
    expose({between + worst.time, between + worst.exposed});
    estimate_.step = estimate_.compute + bubble() + estimate_.exposed_communication;
  }

  [[nodiscard]] Traffic gradients(int stage) const {
    const Seconds time =
        reduction(step_.parameters_of_stage(stage, false), step_.parameters_of_stage(stage, true));
    const PipelineShape& shape = step_.pipeline;
    const int times = step_.switches.synchronise_last_only ? 1 : shape.micro_batches;
    if (!step_.switches.overlap_gradients) return {time * times, time * times};
    Seconds window = time_of_stage(stage, true) * rules_.gradients.covered;
    if (shape.stages > 1) {
      const int in_flight = std::min(shape.stages, shape.micro_batches);
      window = time_of_stage(stage, true) * ((shape.chunks - 1.0) / shape.chunks * in_flight);
    }
    const Traffic once = beside(time, window);
    return {once.time * times, once.exposed * times};
  }

  // Gathered once a step, of sharded models always before they are used.
  [[nodiscard]] Traffic parameters(int stage) const {
    const SplitSwitches& switches = step_.switches;
    if (switches.zero_stage == 0) return {};
    const Seconds time =
        gather(step_.parameters_of_stage(stage, false), step_.parameters_of_stage(stage, true));
    if (switches.zero_stage < 3 && !switches.overlap_parameters) return {time, time};
    return beside(time, time_of_stage(stage, false) * rules_.gradients.covered);
  }

  void add_sharded() {
    Seconds first, last, forward, backward, moved;
    bool begun = false;
    const SplitSwitches& switches = step_.switches;
    for (const std::size_t index : step_.places.front().units) {
      const UnitCost& cost = step_.units[index];
      const Unit& unit = cost.unit;
      const Seconds gathers = gather(unit.dense_parameters, unit.expert_parameters);
      const Seconds reduces = reduction(unit.dense_parameters, unit.expert_parameters);
      const Seconds f = cost.forward_time() * step_.jitter, b = cost.backward_time() * step_.jitter;
      const Seconds both = (switches.reshard_after_forward ? gathers : Seconds(0)) + reduces;
      forward += std::max(f + std::min(f, gathers) * switches.slowdown, gathers);
      backward += std::max(b + std::min(b, both) * switches.slowdown, both);
      moved += gathers + both;
      if (!begun) first = gathers, last = reduces;
      begun = true;
    }
    const Seconds all = (first + forward + backward + last) * step_.micro_batches();
    expose({moved * step_.micro_batches(), all - estimate_.compute});
    estimate_.step = all;
  }

  void expose(const Traffic& traffic) {
    estimate_.communication += traffic.time;
    estimate_.exposed_communication += traffic.exposed;
  }

  void add_end() {
    expose({step_.norm_exchange, step_.norm_exchange});
    if (step_.work.tied_head && step_.pipeline.stages > 1) {
      const Seconds tied = collective(CollectiveKind::all_reduce, step_.work.head_parameters,
                                      step_.switches.gradient_bytes, GroupKind::stage_ends);
      expose({tied, tied});
      estimate_.step += tied;
    }
    estimate_.optimizer = *std::max_element(step_.optimizer.begin(), step_.optimizer.end());
    estimate_.step += step_.norm_exchange + estimate_.optimizer;
  }

  const SplitStep& step_;
  const TransformerRules& rules_;
  Estimate estimate_;
};

}  // namespace

Estimate estimate_split(const StepRequest& request) { return SplitEstimate(request).result(); }

}  // namespace paceline
