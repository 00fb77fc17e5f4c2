// Study: many scenarios at once, compared with one device of the same kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "sim/study/predict.h"

namespace paceline {

struct StudyCase {
  Scenario scenario;
  std::string model_title, cluster_title;
};

struct Study {
  std::string name, title;
  std::vector<StudyCase> cases;
};

struct StudyRow {
  StudyCase input;
  Prediction prediction;
  Timeline timeline;
  double speedup = 1;  // throughput over that of one device with the same model and batch per device
  double scaling_efficiency = 1;  // speedup / devices
};

// With the titles of its model and cluster. Throws InputError for unknown names.
[[nodiscard]] StudyCase study_case(const Catalog& catalog, Scenario scenario);

// "paceline/study-1": models x platforms x strategies x devices. What a platform says goes before what a
// model says, that before the defaults, and all of them before a preset; a case that two lists name is one
// case. Checks every name before anything is computed.
[[nodiscard]] Study read_study(const Catalog& catalog, const std::string& file);

// A curve: the scenario at each number of devices.
[[nodiscard]] Study scaling_study(const Catalog& catalog, const Scenario& scenario,
                                  const std::vector<int>& devices);

using Progress = std::function<void(std::size_t done, std::size_t all)>;

// Runs all cases in parallel; rows are in the order of the cases, whatever the number of threads. `progress`
// may be called from any thread; `with_timelines` keeps each case's timeline.
[[nodiscard]] std::vector<StudyRow> run_study(const Catalog& catalog, const Study& study,
                                              const Profile* profile, bool with_timelines,
                                              const Progress& progress = {});

[[nodiscard]] Table study_table(const std::vector<StudyRow>& rows);
[[nodiscard]] std::string study_json(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace paceline
