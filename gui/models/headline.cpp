#include "gui/models/headline.h"

#include <fmt/format.h>

namespace paceline::gui {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

Figure step_figure(const Prediction& prediction) {
  return {"Step time", to_string(prediction.step),
          fmt::format("90 %: {} to {}", to_string(prediction.step_low), to_string(prediction.step_high))};
}

Figure throughput_figure(const Prediction& prediction) {
  return {"Throughput, samples/s", fmt::format("{:.4g}", prediction.samples_per_second),
          fmt::format("global batch {:.0f}", prediction.global_batch)};
}

Figure speedup_figure(const StudyRow& row) {
  return {"Speedup", fmt::format("{:.2f} ×", row.speedup),
          fmt::format("scaling efficiency {}", percent(row.scaling_efficiency))};
}

Figure communication_figure(const Prediction& prediction) {
  const StepBreakdown& breakdown = prediction.breakdown;
  return {"Exposed communication", to_string(breakdown.exposed_communication),
          fmt::format("{} of the step, in all {}", percent(breakdown.exposed_communication / prediction.step),
                      to_string(breakdown.communication))};
}

Figure memory_figure(const Prediction& prediction) {
  Figure figure{"Peak memory, GPU 0", to_binary_string(prediction.first_device_peak()),
                "of " + to_binary_string(prediction.capacity)};
  if (prediction.memory.size() > 1)
    figure.detail += ", others " + to_binary_string(prediction.other_device_peak());
  if (!prediction.out_of_memory) return figure;
  figure.is_bad = true;
  figure.detail = fmt::format("OOM: {} lacks {}", prediction.out_of_memory->rank,
                              to_binary_string(prediction.out_of_memory->over));
  return figure;
}

std::string provenance_note(const Prediction& prediction) {
  const auto& shares = prediction.provenance;
  return fmt::format("Device time: {} modelled, {} interpolated, {} measured. Closed form: {}.",
                     percent(shares[0]), percent(shares[1]), percent(shares[2]),
                     to_string(prediction.estimate));
}

}  // namespace

Headline headline_of(const StudyRow& row) {
  const Prediction& prediction = row.prediction;
  Headline headline;
  headline.figures = {step_figure(prediction), throughput_figure(prediction), speedup_figure(row),
                      communication_figure(prediction), memory_figure(prediction)};
  headline.notes = prediction.notes;
  headline.notes.push_back(provenance_note(prediction));
  return headline;
}

Headline empty_headline() {
  Headline headline;
  for (const char* title :
       {"Step time", "Throughput, samples/s", "Speedup", "Exposed communication", "Peak memory, GPU 0"})
    headline.figures.push_back({title, "–", "", false});
  return headline;
}

}  // namespace paceline::gui
