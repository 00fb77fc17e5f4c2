// The answer to a Scenario: step time, throughput, communication, memory of every rank, and where it all came
// from.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/profile.h"
#include "base/quantity.h"
#include "sim/memory/memory.h"
#include "sim/study/breakdown.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"
#include "sim/study/split_result.h"
#include "traces/timeline.h"

namespace paceline {

struct OutOfMemory {
  std::string rank;   // "GPU 0"
  Bytes over;         // by how much the peak exceeds the device
  std::string phase;  // when it first would
};

struct Prediction {
  Scenario scenario;
  int nodes = 1;
  double global_batch = 0;  // samples a step
  Seconds step;
  Seconds step_low, step_high;  // interval: nine of ten published steps of this kind lie inside
  Seconds estimate;             // closed form, for comparison
  double samples_per_second = 0;
  StepBreakdown breakdown;
  std::vector<Bytes> messages;     // of the gradient all-reduces or parameter broadcasts, in launch order
  std::vector<RankMemory> memory;  // device 0 first
  Bytes capacity;                  // of one device
  double imbalance = 1;            // largest rank over mean
  std::optional<OutOfMemory> out_of_memory;
  std::array<double, 3> provenance{};  // share of the device time that is modelled, interpolated, measured
  std::optional<SplitResult> split;    // of transformers over a mesh
  std::vector<std::string> notes;

  [[nodiscard]] Bytes first_device_peak() const;
  [[nodiscard]] Bytes other_device_peak() const;  // the largest of the others; the first's when it is alone
};

// Throws InputError for what cannot be asked. `profile` and `timeline` may be null; many predictions may run
// at once.
[[nodiscard]] Prediction predict(const Catalog& catalog, const Scenario& scenario,
                                 const Profile* profile = nullptr, Timeline* timeline = nullptr);

// The closed form only: for sliders and searches.
[[nodiscard]] Seconds quick_estimate(const Catalog& catalog, const Scenario& scenario,
                                     const Profile* profile = nullptr);

}  // namespace paceline
