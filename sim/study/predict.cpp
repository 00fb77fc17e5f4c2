#include "sim/study/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/analytic/estimate.h"
#include "sim/cost/profile_device.h"
#include "sim/engine/engine.h"
#include "sim/engine/to_timeline.h"
#include "sim/plan/plan.h"
#include "traces/analysis/interval_union.h"

namespace paceline {
namespace {

// What a scenario's names stand for; owns everything that a StepRequest refers to.
struct Setting {
  Model model;
  Cluster cluster;
  Framework framework;
  KernelCost kernels;
  CollectiveCost collectives;
  int devices_per_node;
  Bytes capacity;
  double uncertainty;
  bool profile_unused;  // it was measured on another device
};

void check_group(const Scenario& scenario, const Cluster& cluster, int per_node) {
  const int nodes = (scenario.devices + per_node - 1) / per_node;
  if (per_node > cluster.devices_per_node) {
    throw InputError(
        "devices_per_node", std::to_string(per_node),
        fmt::format("at most {}, the devices of a node of {}", cluster.devices_per_node, cluster.name),
        "choose a larger node");
  }
  if (nodes > 1 && !cluster.network) {
    throw InputError("devices", fmt::format("{} on nodes of {}", scenario.devices, per_node),
                     fmt::format("at most {}: {} has no network between nodes", per_node, cluster.name),
                     "choose a cluster with a network");
  }
  if (nodes > cluster.max_nodes) {
    throw InputError("devices", fmt::format("{}, {} nodes", scenario.devices, nodes),
                     fmt::format("at most {} nodes of {}", cluster.max_nodes, cluster.name),
                     "use fewer devices");
  }
  if (nodes > 1 && scenario.devices % per_node != 0) {
    throw InputError("devices", std::to_string(scenario.devices),
                     fmt::format("a multiple of the {} devices of a node", per_node), "fill every node");
  }
  if (scenario.strategy.kind == StrategyKind::single && scenario.devices != 1)
    throw InputError("devices", std::to_string(scenario.devices), "1 for the strategy \"single\"",
                     "choose \"ddp\" or \"dp\"");
}

Cluster what_if(Cluster cluster, const Scenario& scenario) {
  if (scenario.link_rate) cluster.interconnect.rate = *scenario.link_rate;
  if (scenario.port_rate && cluster.network) cluster.network->rate = *scenario.port_rate;
  return cluster;
}

// Everything that a host thread dispatches goes as its speed; the small kernels of a gradient too, since they
// wait for their launches.
Framework on_host(Framework framework, double speed) {
  for (Seconds* cost :
       {&framework.host.forward_operator, &framework.host.backward_operator, &framework.host.optimizer_tensor,
        &framework.host.replicate_object, &framework.gradients.per_tensor})
    *cost = *cost / speed;
  return framework;
}

Setting setting_of(const Catalog& catalog, const Scenario& scenario, const Profile* profile) {
  const Cluster cluster = what_if(catalog.hardware.cluster(scenario.cluster), scenario);
  const int per_node = scenario.devices_per_node.value_or(cluster.devices_per_node);
  check_group(scenario, cluster, per_node);
  Device device = catalog.hardware.device(cluster.device);
  Architecture architecture = catalog.hardware.architecture(device.architecture);
  const bool unused = profile && !profile_applies(*profile, device);
  if (unused) profile = nullptr;
  if (profile) {
    if (!profile->memory.empty())
      architecture.bandwidth_share = 1;  // the measured rate is what kernels reach
    device = with_profile(std::move(device), *profile);
  }
  const Framework framework =
      on_host(catalog.frameworks.framework(scenario.strategy.framework), architecture.host_speed);
  Model model = catalog.models.build(scenario.model, scenario.input);
  const KernelSettings settings{
      scenario.precision, scenario.strategy.channels_last.value_or(framework.channels_last), model.family};
  KernelCost kernels(device, architecture, catalog.kernels, framework, settings, profile);
  return {std::move(model),
          cluster,
          framework,
          std::move(kernels),
          CollectiveCost(catalog.hardware, cluster, profile),
          per_node,
          device.memory,
          architecture.uncertainty,
          unused};
}

int micro_batch_of_all(const Scenario& scenario) {
  return scenario.global_batch ? *scenario.global_batch / scenario.strategy.accumulation
                               : scenario.batch_per_device * scenario.devices;
}

// A global batch is shared out: nn.DataParallel scatters it as it can, all others need equal parts.
Scenario with_shared_batch(Scenario scenario) {
  if (!scenario.global_batch) return scenario;
  const int batch = *scenario.global_batch, shares = scenario.devices * scenario.strategy.accumulation;
  const std::string found =
      fmt::format("{} samples for {} devices times {} micro-batch{}", batch, scenario.devices,
                  scenario.strategy.accumulation, scenario.strategy.accumulation == 1 ? "" : "es");
  // Fewer samples than devices leave some of nn.DataParallel's idle.
  const bool scatters = scenario.strategy.kind == StrategyKind::data_parallel;
  const int portions = scatters ? scenario.strategy.accumulation : shares;
  if (batch < portions)
    throw InputError("global_batch", found, "at least one sample for each",
                     "use fewer devices or a larger batch");
  if (batch % portions != 0)
    throw InputError("global_batch", found, "a multiple of their number",
                     fmt::format("use {}", batch / portions * portions));
  scenario.batch_per_device = (batch + shares - 1) / shares;
  return scenario;
}

StepRequest request_of(const Setting& setting, const Scenario& scenario) {
  return {setting.model,
          scenario.strategy,
          setting.framework,
          setting.kernels,
          setting.collectives,
          scenario.devices,
          setting.devices_per_node,
          scenario.batch_per_device,
          micro_batch_of_all(scenario),
          {}};
}

void check_parts(const MeasuredStep& measured) {
  const Seconds parts = measured.forward.value_or(Seconds(0)) + measured.backward.value_or(Seconds(0));
  if (!measured.step || parts <= *measured.step) return;
  throw InputError("measured",
                   fmt::format("a step of {} with {} of forward and backward", to_string(*measured.step),
                               to_string(parts)),
                   "parts that do not exceed the step", "check the measured times");
}

void scale_host(HostRules& host, double factor) {
  for (Seconds* cost :
       {&host.forward_operator, &host.backward_operator, &host.optimizer_tensor, &host.replicate_object})
    *cost *= factor;
}

// What has no measured time of its own, host costs among it, by the one factor with which a step of one
// device takes as long as measured. Casts and the like stay as they are, hence a few rounds.
void match_step(Setting& setting, const Scenario& alone, ComputeScale& scale) {
  const MeasuredStep& measured = alone.measured;
  for (int round = 0; round < 20; ++round) {
    StepRequest request = request_of(setting, alone);
    request.scale = scale;
    const double factor = *measured.step / estimate(request).step;
    if (std::abs(factor - 1) < 1e-9) return;
    if (!measured.forward) scale.forward *= factor;
    if (!measured.backward) scale.backward *= factor;
    scale.optimizer *= factor;
    scale_host(setting.framework.host, factor);
  }
}

// Measured times on one device replace the modelled ones: forward and backward each by its own, the rest in
// proportion to the whole step.
ComputeScale calibrate(Setting& setting, const Scenario& scenario) {
  ComputeScale scale;
  const MeasuredStep& measured = scenario.measured;
  if (!measured.step && !measured.forward && !measured.backward) return scale;
  check_parts(measured);
  Scenario alone = scenario;
  alone.devices = 1;
  alone.global_batch.reset();
  alone.strategy.kind = StrategyKind::single;
  const ComputeTime modelled = compute_time(request_of(setting, alone), scenario.batch_per_device);
  if (measured.forward) scale.forward = *measured.forward / modelled.forward;
  if (measured.backward) scale.backward = *measured.backward / modelled.backward;
  if (!measured.step) return scale;
  if (!measured.forward || !measured.backward) {
    match_step(setting, alone, scale);
    return scale;
  }
  const Seconds rest = *measured.step - *measured.forward - *measured.backward;
  scale.optimizer = rest / setting.kernels.optimizer(setting.model, scenario.strategy.optimizer).time;
  return scale;
}

std::vector<Bytes> gradient_messages(const Program& program) {
  std::vector<Bytes> messages;
  for (const Operation& op : program.operations) {
    if (op.kind != OpKind::communication) continue;
    const Communication& communication = program.communications[op.communication];
    const bool gradients = communication.kind == CommunicationKind::all_reduce ||
                           communication.kind == CommunicationKind::reduce;
    // One entry a collective: that of the first rank that takes part.
    if (gradients && program.streams[op.stream].rank <= 1) {
      if (communication.kind == CommunicationKind::all_reduce || program.streams[op.stream].rank == 1)
        messages.push_back(communication.message);
    }
  }
  return messages;
}

Seconds seconds_of(Nanoseconds time) { return Seconds(static_cast<double>(time) * 1e-9); }

// Busy time of the first device by phase, from the Program's own durations.
void add_phases(const Program& program, const Schedule& schedule, RankId rank, StepBreakdown& breakdown) {
  for (OpId op = 0; op < program.operations.size(); ++op) {
    const Operation& operation = program.operations[op];
    const ProgramStream& stream = program.streams[operation.stream];
    if (stream.rank != rank || operation.family != Family::kernel) continue;
    const Seconds time(schedule.end[op] - schedule.start[op]);
    // Below a nanosecond it is rounding of the clock.
    const Seconds longer = time - Seconds(operation.seconds);
    if (longer > Seconds(1e-9)) breakdown.contention += longer;
    const std::string& phase = program.phases[operation.phase];
    if (phase == "forward") breakdown.forward += time;
    if (phase == "backward") breakdown.backward += time;
    if (phase == "optimizer") breakdown.optimizer += time;
  }
}

// Collectives and copies between devices count as communication; copies from host memory do not.
bool is_communication(const Timeline& timeline, SliceId slice) {
  if (timeline.family(slice) == Family::communication) return true;
  return timeline.family(slice) == Family::copy &&
         timeline.name_text(slice).find("PtoP") != std::string::npos;
}

StepBreakdown breakdown_of(const Program& program, const Schedule& schedule, const Timeline& timeline) {
  StepBreakdown breakdown;
  RankId first = 0;
  while (first + 1 < program.ranks.size() && !program.ranks[first].is_device) ++first;
  add_phases(program, schedule, first, breakdown);
  std::vector<Interval> communication, compute, work;
  for (SliceId slice = 0; slice < timeline.slice_count(); ++slice) {
    if (timeline.tracks[timeline.track(slice)].rank != program.ranks[first].first_rank) continue;
    const Interval interval{timeline.start(slice), timeline.end(slice)};
    if (is_communication(timeline, slice)) communication.push_back(interval);
    if (timeline.family(slice) == Family::kernel) compute.push_back(interval);
    if (timeline.family(slice) == Family::copy) work.push_back(interval);
  }
  work.insert(work.end(), communication.begin(), communication.end());
  work.insert(work.end(), compute.begin(), compute.end());
  const IntervalUnion moving(std::move(communication)), computing(std::move(compute)), busy(std::move(work));
  breakdown.communication = seconds_of(moving.length());
  breakdown.exposed_communication = seconds_of(moving.length() - overlap(moving, computing));
  breakdown.idle = std::max(Seconds(0), Seconds(schedule.finish) - seconds_of(busy.length()));
  return breakdown;
}

std::array<double, 3> provenance_of(const Program& program, const Schedule& schedule) {
  std::array<double, 3> sums{};
  double all = 0;
  for (OpId op = 0; op < program.operations.size(); ++op) {
    const Operation& operation = program.operations[op];
    if (operation.family == Family::host) continue;
    const double time = schedule.end[op] - schedule.start[op];
    sums[static_cast<std::size_t>(operation.provenance)] += time;
    all += time;
  }
  for (double& sum : sums) sum = all > 0 ? sum / all : 0;
  return sums;
}

// |ln| error of the parts that nine of ten published cases stay below, weighed by the parts' share of the
// step. Compute that was measured on one device still varies with what runs beside it: a third of the
// model's.
double relative_uncertainty(const Setting& setting, const Prediction& prediction, const Program& program) {
  double worst_link = 0;
  for (const Operation& op : program.operations) {
    if (op.kind != OpKind::communication) continue;
    const Communication& communication = program.communications[op.communication];
    const CollectiveGroup group{static_cast<int>(communication.ranks), setting.devices_per_node};
    if (communication.kind != CommunicationKind::all_reduce) continue;
    const CollectiveTime time =
        setting.collectives.collective(CollectiveKind::all_reduce, communication.message, group);
    worst_link = std::max(worst_link, time.provenance == Provenance::modelled ? time.uncertainty : 0.03);
  }
  const MeasuredStep& measured = prediction.scenario.measured;
  const bool calibrated = measured.step || (measured.forward && measured.backward);
  const double compute = calibrated ? setting.uncertainty / 3 : setting.uncertainty;
  const double share = prediction.breakdown.exposed_communication / prediction.step;
  return compute * (1 - share) + std::max(worst_link, 0.1) * share;
}

void add_out_of_memory(Prediction& prediction) {
  for (const RankMemory& rank : prediction.memory) {
    if (rank.peak <= prediction.capacity) continue;
    const Bytes over = rank.peak - prediction.capacity;
    if (!prediction.out_of_memory || over > prediction.out_of_memory->over)
      prediction.out_of_memory = OutOfMemory{rank.name, over, rank.peak_phase};
  }
}

void add_notes(const Setting& setting, const Scenario& scenario, const Program& program,
               Prediction& prediction) {
  if (setting.profile_unused)
    prediction.notes.push_back(
        fmt::format("the profile was measured on another device than {}: not used", setting.cluster.device));
  for (const ProgramRank& rank : program.ranks) {
    if (rank.name.find("idle") != std::string::npos)
      prediction.notes.push_back(
          fmt::format("no samples for {}: the batch has fewer parts than there are devices", rank.name));
  }
  for (const Communication& communication : program.communications) {
    if (communication.kind != CommunicationKind::all_reduce) continue;
    const CollectiveGroup group{scenario.devices, setting.devices_per_node};
    const auto time =
        setting.collectives.collective(CollectiveKind::all_reduce, communication.message, group);
    if (!time.extrapolated) continue;
    prediction.notes.push_back(
        fmt::format("an all-reduce of {} lies above the largest measured size: extrapolated",
                    to_string(communication.message)));
    break;
  }
  if (prediction.out_of_memory) {
    prediction.notes.push_back(
        fmt::format("{} would need {} more memory than it has ({})", prediction.out_of_memory->rank,
                    to_binary_string(prediction.out_of_memory->over), prediction.out_of_memory->phase));
  }
}

}  // namespace

Bytes Prediction::first_device_peak() const { return memory.empty() ? Bytes(0) : memory.front().peak; }

Bytes Prediction::other_device_peak() const {
  if (memory.empty()) return Bytes(0);
  if (memory.size() == 1) return memory.front().peak;
  Bytes largest;
  for (std::size_t rank = 1; rank < memory.size(); ++rank) largest = std::max(largest, memory[rank].peak);
  return largest;
}

Prediction predict(const Catalog& catalog, const Scenario& asked, const Profile* profile,
                   Timeline* timeline) {
  const Scenario scenario = with_shared_batch(asked);
  Setting setting = setting_of(catalog, scenario, profile);
  const ComputeScale scale = calibrate(setting, scenario);
  StepRequest request = request_of(setting, scenario);
  request.scale = scale;
  const Program program = plan(request);
  const Schedule schedule = run(program);
  Timeline own = to_timeline(program, schedule);

  Prediction prediction;
  prediction.scenario = asked;
  prediction.nodes = (scenario.devices + setting.devices_per_node - 1) / setting.devices_per_node;
  prediction.step = Seconds(schedule.finish);
  prediction.estimate = estimate(request).step;
  prediction.global_batch =
      static_cast<double>(micro_batch_of_all(scenario)) * scenario.strategy.accumulation;
  prediction.samples_per_second = prediction.global_batch / prediction.step.value();
  prediction.breakdown = breakdown_of(program, schedule, own);
  prediction.messages = gradient_messages(program);
  prediction.memory = memory_by_rank(program, schedule);
  prediction.capacity = setting.capacity;
  prediction.imbalance = memory_imbalance(prediction.memory);
  prediction.provenance = provenance_of(program, schedule);
  const double factor = std::exp(relative_uncertainty(setting, prediction, program));
  prediction.step_low = prediction.step / factor;
  prediction.step_high = prediction.step * factor;
  add_out_of_memory(prediction);
  add_notes(setting, scenario, program, prediction);
  if (timeline) *timeline = std::move(own);
  return prediction;
}

Seconds quick_estimate(const Catalog& catalog, const Scenario& asked, const Profile* profile) {
  const Scenario scenario = with_shared_batch(asked);
  Setting setting = setting_of(catalog, scenario, profile);
  const ComputeScale scale = calibrate(setting, scenario);
  StepRequest request = request_of(setting, scenario);
  request.scale = scale;
  return estimate(request).step;
}

}  // namespace paceline
