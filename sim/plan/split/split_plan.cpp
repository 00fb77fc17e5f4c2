// Lowers a transformer that is split over a mesh to a Program: the schedule's tasks stage by stage, with the
// sends between stages, then gradients, optimizer and parameters.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/plan/plan.h"
#include "sim/plan/split/gradient_sync.h"
#include "sim/plan/split/split_memory.h"

namespace paceline {
namespace {

// Beyond these numbers of operations a finer Program tells a reader no more.
constexpr std::size_t most_kernels = 30'000, most_units = 60'000;

PlanDetail detail_of(const SplitStep& step) {
  std::size_t units = 0, kernels = 0;
  for (const PlaceWork& place : step.places) {
    for (const std::size_t index : place.units) {
      const Unit& unit = step.units[index].unit;
      kernels += unit.forward.steps.size() + unit.recompute.steps.size() + unit.backward.steps.size();
    }
    units += 2 * place.units.size();
  }
  const auto times = static_cast<std::size_t>(step.micro_batches());
  if (kernels * times <= most_kernels) return PlanDetail::kernels;
  return units * times <= most_units ? PlanDetail::units : PlanDetail::places;
}

class SplitPlanner {
 public:
  explicit SplitPlanner(const StepRequest& request)
      : step_(*request.split),
        lanes_(program_, step_, request.collectives),
        emitter_(program_, lanes_, step_, detail_of(step_)),
        memory_(program_, request),
        boundary_{step_.work.boundary, step_.pipeline.stages > 1
                                           ? step_.groups.between_stages(step_.work.boundary)
                                           : CollectiveTime{}},
        rules_(*request.framework.transformer) {}

  Program result() {
    const auto tasks = tasks_of_stages(step_.pipeline);
    find_holders();
    for (int stage = 0; stage < step_.pipeline.stages; ++stage) {
      stages_.push_back(lanes_.add(stage));
      memory_.hold_state(stages_.back());
      syncs_.emplace_back(program_, lanes_, emitter_, step_, rules_);
    }
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) run_stage(stage, tasks[stage]);
    reduce_tied_head();
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) end_step(stage);
    return std::move(program_);
  }

 private:
  void run_stage(std::size_t stage, const std::vector<StageTask>& tasks) {
    std::vector<int> left(step_.places.size(), 0);  // backwards of a place that are still to come
    for (const StageTask& task : tasks)
      if (ends_backward(task.work)) ++left[place_of(stage, task)];
    std::vector<bool> gathered(step_.places.size(), false);
    for (const StageTask& task : tasks) {
      const std::size_t place = place_of(stage, task);
      if (task.work == StageWork::forward) {
        forward(stage, place, task, gathers_once() && !gathered[place]);
        gathered[place] = true;
        continue;
      }
      if (ends_backward(task.work)) --left[place];
      backward(stage, place, task, left[place] == 0);
    }
  }

  static bool ends_backward(StageWork work) {
    return work == StageWork::backward || work == StageWork::backward_weight;
  }

  [[nodiscard]] std::size_t place_of(std::size_t stage, const StageTask& task) const {
    return static_cast<std::size_t>(place_in_model(step_.pipeline, static_cast<int>(stage), task.chunk));
  }
  [[nodiscard]] bool gathers_every_time() const {
    return step_.switches.zero_stage == 3 && step_.pipeline.stages == 1;
  }

  // Parameters are gathered once a step, before their first use.
  [[nodiscard]] bool gathers_once() const {
    const SplitSwitches& switches = step_.switches;
    if (switches.zero_stage == 3) return !gathers_every_time();
    return (switches.zero_stage == 1 || switches.zero_stage == 2) && switches.overlap_parameters;
  }

  void forward(std::size_t stage, std::size_t place, const StageTask& task, bool gathers) {
    SplitLane& lane = stages_[stage];
    receive(stage, place, task, true);
    if (emitter_.detail() == PlanDetail::places && !gathers_every_time() && !gathers) {
      emitter_.compute(lane, label("forward", task), "forward", step_.places[place].forward);
    } else {
      int layer = first_layer(place);
      const std::vector<std::size_t>& units = step_.places[place].units;
      std::size_t gathered = 0;
      for (std::size_t next = 0; next < units.size(); ++next) {
        const std::size_t index = units[next];
        if (gathers_every_time()) gather(stage, step_.units[index].unit);
        if (gathers && next == gathered)
          gathered = syncs_[stage].gather_bucket(lane, step_.places[place], next);
        emitter_.forward(lane, step_.units[index], unit_name(index, layer, task));
        syncs_[stage].unit_done(lane);
        if (gathers_every_time() && step_.switches.reshard_after_forward)
          memory_.gathered(lane, step_.units[index].unit, lane.last, true);
      }
    }
    memory_.keep(lane, step_.places[place], lane.last);
    send(stage, place, task, true);
  }

  void gather(std::size_t stage, const Unit& unit) {
    SplitLane& lane = stages_[stage];
    const OpId gathering = syncs_[stage].gather_unit(lane, unit);
    if (gathering != no_id) memory_.gathered(lane, unit, gathering, false);
  }

  void backward(std::size_t stage, std::size_t place, const StageTask& task, bool last) {
    SplitLane& lane = stages_[stage];
    const PlaceWork& here = step_.places[place];
    if (task.work != StageWork::backward_weight) receive(stage, place, task, false);
    const bool synchronises = last || !step_.switches.synchronise_last_only;
    const auto first = static_cast<OpId>(program_.operations.size());
    if (task.work != StageWork::backward) {
      const bool weights = task.work == StageWork::backward_weight;
      const double share = weights ? here.weight_backward : 1 - here.weight_backward;
      emitter_.compute(lane, label(weights ? "weight gradient" : "input gradient", task), "backward",
                       here.backward * share);
      if (weights && synchronises) place_ready(stage, here);
    } else if (emitter_.detail() == PlanDetail::places && !synchronises && !gathers_every_time()) {
      emitter_.compute(lane, label("backward", task), "backward", here.backward);
    } else {
      units_backward(stage, place, task, synchronises);
    }
    if (ends_backward(task.work)) memory_.give_back(lane, here, first, lane.last);
    if (task.work != StageWork::backward_weight) send(stage, place, task, false);
  }

  void place_ready(std::size_t stage, const PlaceWork& place) {
    for (std::size_t index = place.units.size(); index-- > 0;)
      syncs_[stage].gradients_ready(stages_[stage], step_.units[place.units[index]].unit, index == 0);
  }

  void units_backward(std::size_t stage, std::size_t place, const StageTask& task, bool synchronises) {
    SplitLane& lane = stages_[stage];
    const PlaceWork& here = step_.places[place];
    int layer = first_layer(place) + here.layers - 1;
    for (std::size_t next = here.units.size(); next-- > 0;) {
      const UnitCost& cost = step_.units[here.units[next]];
      if (gathers_every_time() && step_.switches.reshard_after_forward) gather(stage, cost.unit);
      emitter_.backward(lane, cost, unit_name(here.units[next], layer, task, -1));
      syncs_[stage].unit_done(lane);
      if (gathers_every_time()) memory_.gathered(lane, cost.unit, lane.last, true);
      const OpId computed = lane.last;
      if (synchronises) syncs_[stage].gradients_ready(lane, cost.unit, next == 0);
      if (synchronises && gathers_every_time() && syncs_[stage].last_reduction() != no_id) {
        memory_.unreduced(lane, cost.unit, computed, false);
        memory_.unreduced(lane, cost.unit, syncs_[stage].last_reduction(), true);
      }
    }
  }

  // Layers are numbered along the model, in the direction of `way`.
  std::string unit_name(std::size_t index, int& layer, const StageTask& task, int way = 1) {
    const Unit& unit = step_.units[index].unit;
    const std::string of_batch = step_.micro_batches() > 1 ? fmt::format(" mb {}", task.micro_batch) : "";
    if (unit.kind != UnitKind::layer) return unit.name + of_batch;
    const int number = layer;
    layer += way;
    return fmt::format("layers.{}{}", number, of_batch);
  }
  [[nodiscard]] int first_layer(std::size_t place) const {
    int layer = 0;
    for (std::size_t before = 0; before < place; ++before) layer += step_.places[before].layers;
    return layer;
  }

  [[nodiscard]] std::string label(const char* what, const StageTask& task) const {
    return step_.pipeline.chunks > 1 ? fmt::format("{} mb {} chunk {}", what, task.micro_batch, task.chunk)
                                     : fmt::format("{} mb {}", what, task.micro_batch);
  }

  // By place, the stage that holds it; DualPipe has two copies of the model, of which each chunk works on
  // one.
  void find_holders() {
    const PipelineShape& shape = step_.pipeline;
    const bool copies = shape.schedule == PipelineSchedule::dual_pipe;
    holders_.assign(copies ? static_cast<std::size_t>(shape.chunks) : 1,
                    std::vector<int>(step_.places.size(), -1));
    for (int stage = 0; stage < shape.stages; ++stage)
      for (int chunk = 0; chunk < shape.chunks; ++chunk)
        holders_[copies ? static_cast<std::size_t>(chunk) : 0]
                [static_cast<std::size_t>(place_in_model(shape, stage, chunk))] = stage;
  }

  // The stage before or behind a place; -1 at the ends of the model.
  [[nodiscard]] int neighbour(std::size_t place, const StageTask& task, bool next) const {
    if (next ? place + 1 == step_.places.size() : place == 0) return -1;
    const std::vector<int>& holders =
        holders_[holders_.size() > 1 ? static_cast<std::size_t>(task.chunk) : 0];
    return holders[next ? place + 1 : place - 1];
  }

  // One communication for each boundary, micro-batch and direction, met from both sides.
  CommunicationId message(int from, int to, std::size_t place, const StageTask& task, bool forward) {
    // Directions of DualPipe share boundaries but not micro-batches.
    const auto key = std::make_tuple(place, task.micro_batch, forward);
    const auto found = messages_.find(key);
    if (found != messages_.end()) return found->second;
    const CommunicationId id = lanes_.add_send(stages_[static_cast<std::size_t>(from)],
                                               stages_[static_cast<std::size_t>(to)], boundary_);
    return messages_.emplace(key, id).first->second;
  }

  void receive(std::size_t stage, std::size_t place, const StageTask& task, bool forward) {
    const int from = neighbour(place, task, !forward);
    if (from < 0 || from == static_cast<int>(stage)) return;
    SplitLane& lane = stages_[stage];
    const std::size_t boundary = forward ? place - 1 : place;
    const CommunicationId id = message(from, static_cast<int>(stage), boundary, task, forward);
    const StageLink link = forward ? StageLink::receive_forward : StageLink::receive_backward;
    lane.blockers.push_back(emitter_.communicate(lane, lanes_.stage_stream(lane, link, task.chunk), id,
                                                 label(forward ? "recv forward" : "recv backward", task),
                                                 forward ? "forward" : "backward", {}, false));
  }

  void send(std::size_t stage, std::size_t place, const StageTask& task, bool forward) {
    const int to = neighbour(place, task, forward);
    if (to < 0 || to == static_cast<int>(stage)) return;
    SplitLane& lane = stages_[stage];
    const std::size_t boundary = forward ? place : place - 1;
    const CommunicationId id = message(static_cast<int>(stage), to, boundary, task, forward);
    const StageLink link = forward ? StageLink::send_forward : StageLink::send_backward;
    const OpId op = emitter_.communicate(lane, lanes_.stage_stream(lane, link, task.chunk), id,
                                         label(forward ? "send forward" : "send backward", task),
                                         forward ? "forward" : "backward");
    if (!step_.switches.overlap_pipeline) lane.blockers.push_back(op);
  }

  // First and last stage hold the same table.
  void reduce_tied_head() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) syncs_[stage].finish(stages_[stage]);
    if (!step_.work.tied_head || stages_.size() < 2) return;
    const Bytes bytes(step_.work.head_parameters * step_.switches.gradient_bytes);
    const CollectiveTime time = step_.groups.of(CollectiveKind::all_reduce, bytes, GroupKind::stage_ends);
    const CommunicationId id = lanes_.add_ends(stages_.front(), stages_.back(), {bytes, time});
    for (SplitLane* lane : {&stages_.front(), &stages_.back()})
      lane->blockers.push_back(emitter_.communicate(*lane, lanes_.stream(*lane, GroupKind::stage_ends), id,
                                                    "all-reduce tied embedding", "backward"));
  }

  void end_step(std::size_t stage) {
    SplitLane& lane = stages_[stage];
    if (step_.norm_exchange > Seconds(0)) {
      if (norm_ == no_id) norm_ = lanes_.add_world(stages_, step_.norm_exchange);
      lane.blockers = {emitter_.communicate(lane, lanes_.stream(lane, GroupKind::world), norm_,
                                            "all-reduce gradient norm", "optimizer")};
    }
    emitter_.compute(lane, "optimizer step", "optimizer", step_.optimizer[stage]);
    const SplitSwitches& switches = step_.switches;
    const bool shards = switches.zero_stage == 1 || switches.zero_stage == 2;
    if (shards && !switches.overlap_parameters) syncs_[stage].gather_at_end(lane);
  }

  const SplitStep& step_;
  Program program_;
  SplitLanes lanes_;
  PassEmitter emitter_;
  SplitMemory memory_;
  PairMessage boundary_;  // what stages send each other
  const TransformerRules& rules_;
  std::vector<SplitLane> stages_;
  std::vector<GradientSync> syncs_;
  std::vector<std::vector<int>> holders_;
  std::map<std::tuple<std::size_t, int, bool>, CommunicationId> messages_;
  CommunicationId norm_ = no_id;
};

}  // namespace

Program plan_split(const StepRequest& request) { return SplitPlanner(request).result(); }

}  // namespace paceline
