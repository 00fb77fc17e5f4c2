// Published memory of training runs, and the run that each stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/memory/megatron/run.h"
#include "sim/study/catalog.h"
#include "sim/study/memory/library_memory.h"

namespace paceline {

// Of one rank.
struct MeasuredRank {
  std::int64_t rank = 0, stage = 0;
  std::optional<Bytes> between_steps, peak, reserved;  // allocated at the end of a step; peaks
};

struct PublishedMemory {
  std::string id, group, device;
  std::optional<megatron::TrainingRun> run;  // absent: cannot be asked, see why_not
  std::string why_not;
  std::string why_no_peak;  // the run is known well enough for what it holds, but not for its peak
  std::vector<MeasuredRank> measured;
};

// Rows of a "paceline/published-1" file of kind memory, of a "published-training-1" file, or those of a
// "dist-training-truth/1" file that state memory of Megatron-LM. Throws InputError for another format. A row
// that says too little is kept, with the reason.
[[nodiscard]] std::vector<PublishedMemory> read_published_memory(const Catalog& catalog,
                                                                 const LibraryMemory& libraries,
                                                                 const std::string& file);

}  // namespace paceline
