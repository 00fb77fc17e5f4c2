// Published training steps, and the Scenario that each stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/published_model.h"
#include "sim/study/scenario.h"

namespace paceline {

// A row of a file of training steps.
struct PublishedRow {
  std::string id, group, category, quality;
  std::optional<Scenario> scenario;     // absent: cannot be asked, see why_not
  std::optional<Cluster> cluster;       // the machine, under the name that the scenario's cluster has
  std::optional<PublishedModel> model;  // built from the row, under the name that the scenario has
  // Share of the burst clock that matrix products kept on that machine, where they were measured there too.
  std::optional<double> sustained_clock;
  std::string why_not;
  std::optional<Seconds> step;  // measured
  bool judged = false;          // the step time may be judged absolutely, not only as a ratio
};

struct PublishedFile {
  std::vector<PublishedRow> rows;
};

// Of a "paceline/published-1" file of kind training, or a table of "dist-training-truth/1",
// "published-training-1" or "published-training-vtrain-1". Throws InputError for another format. A row that
// describes something the model does not know is kept, with the reason.
[[nodiscard]] PublishedFile read_published(const Catalog& catalog, const std::string& file);

// All files of the kind ("training", "collectives") in the folder.
[[nodiscard]] std::vector<std::string> published_files(const std::string& folder, const std::string& wanted);

}  // namespace paceline
