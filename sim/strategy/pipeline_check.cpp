#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "sim/strategy/pipeline.h"

namespace paceline {
namespace {

std::string name_of(const PipelineShape& shape) {
  return fmt::format("\"{}\"", pipeline_schedule_names()[static_cast<std::size_t>(shape.schedule)]);
}

void check_sizes(const PipelineShape& shape) {
  const auto check = [](const char* field, int value, int least) {
    if (value < least) throw InputError(field, std::to_string(value), fmt::format("at least {}", least), "");
  };
  check("pipeline", shape.stages, 1);
  check("virtual_stages", shape.chunks, 1);
  check("micro_batches", shape.micro_batches, 1);
  check("microbatch_group", shape.group, 0);
}

void check_chunks(const PipelineShape& shape) {
  const std::string found = fmt::format("{} with schedule {}", shape.chunks, name_of(shape));
  switch (shape.schedule) {
    case PipelineSchedule::zero_bubble_v:
    case PipelineSchedule::dual_pipe:
      if (shape.chunks != 2) throw InputError("virtual_stages", found, "2", "give \"virtual_stages\": 2");
      break;
    case PipelineSchedule::interleaved:
      break;
    default:
      if (shape.chunks != 1)
        throw InputError("virtual_stages", found, "1", "choose the schedule \"interleaved\"");
  }
  const bool grouped = shape.schedule == PipelineSchedule::interleaved;
  if (!grouped && shape.group != 0)
    throw InputError("microbatch_group", fmt::format("{} with schedule {}", shape.group, name_of(shape)),
                     "none", "choose the schedule \"interleaved\"");
}

// As Megatron refuses, for its receives would not match: megatron/core/pipeline_parallel/schedules.py.
void check_interleaved(const PipelineShape& shape) {
  if (shape.stages == 1)
    throw InputError("pipeline", "1 with schedule \"interleaved\"", "at least 2 stages", "choose \"1f1b\"");
  if (shape.micro_batches < shape.stages)
    throw InputError("micro_batches", fmt::format("{} with schedule \"interleaved\"", shape.micro_batches),
                     fmt::format("at least the {} stages", shape.stages),
                     "use a larger global batch, smaller micro-batches or fewer stages");
  const int group = shape.group == 0 ? shape.stages : shape.group;
  if (group < shape.stages || group > shape.micro_batches)
    throw InputError("microbatch_group", std::to_string(group),
                     fmt::format("{} stages to {} micro-batches", shape.stages, shape.micro_batches), "");
  const int rest = shape.micro_batches % group;
  if (rest > 0 && rest < shape.stages)
    throw InputError("micro_batches",
                     fmt::format("{} = {} groups of {} and one of {}", shape.micro_batches,
                                 shape.micro_batches / group, group, rest),
                     fmt::format("a last group of at least the {} stages", shape.stages),
                     fmt::format("use a multiple of {}", group));
}

void check_dual(const PipelineShape& shape) {
  if (shape.stages % 2 != 0)
    throw InputError("pipeline", fmt::format("{} with schedule \"dualpipe\"", shape.stages),
                     "an even number of stages", "choose another degree");
  if (shape.micro_batches % 2 != 0)
    throw InputError("micro_batches", fmt::format("{} with schedule \"dualpipe\"", shape.micro_batches),
                     "an even number: half from each end", "choose another global batch");
  if (shape.micro_batches < 2 * shape.stages)
    throw InputError("micro_batches", fmt::format("{} with schedule \"dualpipe\"", shape.micro_batches),
                     fmt::format("at least 2 x {} stages = {}", shape.stages, 2 * shape.stages),
                     "use a larger global batch, smaller micro-batches or fewer stages");
}

}  // namespace

void check(const PipelineShape& shape) {
  check_sizes(shape);
  check_chunks(shape);
  if (shape.schedule == PipelineSchedule::interleaved) check_interleaved(shape);
  if (shape.schedule == PipelineSchedule::dual_pipe) check_dual(shape);
}

}  // namespace paceline
