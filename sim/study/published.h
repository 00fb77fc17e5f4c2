// Published training steps, and the Scenario that each stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline {

// A row of a "paceline/published-1" file of kind training, or an entry of a "dist-training-truth/1" file.
struct PublishedRow {
  std::string id, group, category, quality;
  std::optional<Scenario> scenario;  // absent: cannot be asked, see why_not
  std::optional<Cluster> cluster;    // the machine, under the name that the scenario's cluster has
  std::string why_not;
  std::optional<Seconds> step;  // measured
  bool judged = false;          // the step time may be judged absolutely, not only as a ratio
};

struct PublishedFile {
  std::vector<PublishedRow> rows;
};

// Throws InputError when the file is not of one of the two formats. A row that describes something the model
// does not know is kept, with the reason.
[[nodiscard]] PublishedFile read_published(const Catalog& catalog, const std::string& file);

// All files of the kind ("training", "collectives") in the folder.
[[nodiscard]] std::vector<std::string> published_files(const std::string& folder, const std::string& wanted);

}  // namespace paceline
