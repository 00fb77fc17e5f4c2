// What to measure, and what a measuring function needs: the request, a clock, somebody to tell.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/profile.h"
#include "base/quantity.h"
#include "probe/measure.h"

namespace paceline {

enum class Part { gemm, memory, copies, collectives, launch };
const std::vector<std::string>& part_names();  // in the order of Part
std::set<Part> all_parts();

struct ProbeRequest {
  std::set<Part> parts = all_parts();
  bool quick = false;  // fewer sizes; the effort of each measurement is `effort`
  Effort effort = full_effort();
  std::optional<int> ranks;           // of collectives; without it, powers of two up to the number of CPUs
  Bytes memory_limit = gibibytes(2);  // largest working set of a measurement
};
ProbeRequest quick_request();

// Called with what is about to be measured.
using Progress = std::function<void(const std::string& what)>;

struct ProbeRun {
  ProbeRequest request;
  Clock clock = steady_clock();
  Progress progress = [](const std::string&) {};

  [[nodiscard]] Measurement measured(const std::string& what, const TimedRun& run) const;
};

// A profile with device, backend, host and date filled in.
Profile new_profile(const std::string& backend, const std::string& device);

// Adds "the machine was noisy: ..." to the notes if more than a tenth of the measurements are.
void note_noise(Profile& profile);

}  // namespace paceline
