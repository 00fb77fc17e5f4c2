#include "sim/study/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/analytic/estimate.h"
#include "sim/engine/engine.h"
#include "sim/engine/to_timeline.h"
#include "sim/plan/plan.h"
#include "sim/study/setting.h"

namespace paceline {
namespace {

// Communications stand in the order in which they are launched.
std::vector<Bytes> gradient_messages(const Program& program) {
  std::vector<Bytes> messages;
  for (const Communication& communication : program.communications) {
    if (communication.kind == CommunicationKind::all_reduce ||
        communication.kind == CommunicationKind::reduce)
      messages.push_back(communication.message);
  }
  return messages;
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
  // No published series is wide enough to tell these three; they are guesses on the careful side.
  constexpr double measured_link = 0.03, calibrated_share = 1.0 / 3, least_exposed = 0.1;
  double worst_link = 0;
  for (const Operation& op : program.operations) {
    if (op.kind != OpKind::communication) continue;
    const Communication& communication = program.communications[op.communication];
    const CollectiveGroup group{static_cast<int>(communication.ranks), setting.devices_per_node};
    if (communication.kind != CommunicationKind::all_reduce) continue;
    const CollectiveTime time =
        setting.collectives.collective(CollectiveKind::all_reduce, communication.message, group);
    worst_link =
        std::max(worst_link, time.provenance == Provenance::modelled ? time.uncertainty : measured_link);
  }
  const MeasuredStep& measured = prediction.scenario.measured;
  const bool calibrated = measured.step || (measured.forward && measured.backward);
  const double compute = calibrated ? setting.uncertainty * calibrated_share : setting.uncertainty;
  const double share = prediction.breakdown.exposed_communication / prediction.step;
  return compute * (1 - share) + std::max(worst_link, least_exposed) * share;
}

// Nine of ten published steps of a framework's generation; kernels of a device that nobody has measured miss
// further.
double split_uncertainty(const Setting& setting) {
  constexpr double nine_of_ten = 1.645;
  return nine_of_ten *
         std::hypot(setting.framework.transformer->uncertainty, setting.rates->transfer_uncertainty);
}

void add_out_of_memory(Prediction& prediction) {
  for (const RankMemory& rank : prediction.memory) {
    if (rank.peak <= prediction.capacity) continue;
    const Bytes over = rank.peak - prediction.capacity;
    if (!prediction.out_of_memory || over > prediction.out_of_memory->over)
      prediction.out_of_memory = OutOfMemory{rank.name, over, rank.peak_phase};
  }
}

bool is_idle(const Program& program, RankId rank) {
  return std::none_of(program.operations.begin(), program.operations.end(), [&](const Operation& operation) {
    return program.streams[operation.stream].rank == rank;
  });
}

void add_notes(const Setting& setting, const Scenario& scenario, const Program& program,
               Prediction& prediction) {
  if (setting.profile_unused)
    prediction.notes.push_back(
        fmt::format("the profile was measured on another device than {}: not used", setting.cluster.device));
  for (RankId rank = 0; rank < program.ranks.size(); ++rank) {
    if (is_idle(program, rank))
      prediction.notes.push_back(fmt::format(
          "no samples for {}: the batch has fewer parts than there are devices", program.ranks[rank].name));
  }
  for (const Communication& communication : program.communications) {
    if (communication.kind != CommunicationKind::all_reduce) continue;
    const CollectiveGroup group{scenario.devices, setting.devices_per_node};
    const auto time =
        setting.collectives.collective(CollectiveKind::all_reduce, communication.message, group);
    if (!time.extrapolated) continue;
    prediction.notes.push_back(
        fmt::format("an all-reduce of {} lies outside the measured sizes: extrapolated",
                    to_string(communication.message)));
    break;
  }
  if (prediction.split)
    prediction.notes.push_back(
        "memory of a split model is an estimate without fragments of the allocator: published runs had 1.1 "
        "to "
        "1.8 times as much reserved");
  if (const Seconds input = input_time(setting, scenario); input > Seconds(0) && input >= prediction.step)
    prediction.notes.push_back(
        fmt::format("the input pipeline holds up the step: {} for a node's samples", to_string(input)));
  if (scenario.strategy.parallel.schedule == PipelineSchedule::dual_pipe)
    prediction.notes.push_back("the sum of the gradients of DualPipe's two copies is not counted");
  if (scenario.strategy.kind == StrategyKind::parameter_server) {
    prediction.notes.push_back("what the servers need to add gradients and to update is not counted");
    if (scenario.strategy.asynchronous)
      prediction.notes.push_back(fmt::format(
          "asynchronous: a gradient is applied to parameters that are {} updates further on average",
          scenario.devices - 1));
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
  const std::unique_ptr<SplitStep> split = split_step_of(setting, scenario);
  request.split = split.get();
  request.input = input_time(setting, scenario);
  const Program program = plan(request);
  const Schedule schedule = run(program);

  Prediction prediction;
  prediction.scenario = asked;
  prediction.nodes = (scenario.devices + setting.devices_per_node - 1) / setting.devices_per_node;
  prediction.step = Seconds(schedule.finish);
  prediction.estimate = estimate(request).step;
  prediction.global_batch = samples_of_step(scenario);
  prediction.samples_per_second = prediction.global_batch / prediction.step.value();
  prediction.breakdown = breakdown_of(program, schedule);
  prediction.messages = gradient_messages(program);
  prediction.memory = memory_by_rank(program, schedule);
  prediction.capacity = setting.capacity;
  prediction.imbalance = memory_imbalance(prediction.memory);
  prediction.provenance = provenance_of(program, schedule);
  if (split)
    prediction.split = split_result(*split, program, schedule, prediction.global_batch,
                                    peak_of(setting.device, scenario.precision));
  const double factor =
      std::exp(split ? split_uncertainty(setting) : relative_uncertainty(setting, prediction, program));
  prediction.step_low = prediction.step / factor;
  prediction.step_high = prediction.step * factor;
  add_out_of_memory(prediction);
  add_notes(setting, scenario, program, prediction);
  if (timeline) *timeline = to_timeline(program, schedule);
  return prediction;
}

Seconds quick_estimate(const Catalog& catalog, const Scenario& asked, const Profile* profile) {
  const Scenario scenario = with_shared_batch(asked);
  Setting setting = setting_of(catalog, scenario, profile);
  const ComputeScale scale = calibrate(setting, scenario);
  StepRequest request = request_of(setting, scenario);
  request.scale = scale;
  const std::unique_ptr<SplitStep> split = split_step_of(setting, scenario);
  request.split = split.get();
  request.input = input_time(setting, scenario);
  return estimate(request).step;
}

}  // namespace paceline
