#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "sim/analytic/estimate.h"
#include "sim/study/setting.h"

namespace paceline {
namespace {

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

}  // namespace

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

}  // namespace paceline
