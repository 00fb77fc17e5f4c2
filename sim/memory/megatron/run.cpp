#include "sim/memory/megatron/run.h"

#include <string>

#include "base/error.h"

namespace paceline::megatron {
namespace {

void divides(const char* field, std::int64_t divisor, std::int64_t whole, const char* what) {
  if (divisor >= 1 && whole % divisor == 0) return;
  throw InputError(field, std::to_string(divisor),
                   "a divisor of " + std::to_string(whole) + ", the " + std::string(what),
                   "choose another degree");
}

}  // namespace

std::int64_t TrainingRun::padded_vocabulary() const {
  const std::int64_t unit = 128 * mesh.tensor;
  return (model.vocabulary + unit - 1) / unit * unit;
}

void check(const TrainingRun& run) {
  const Mesh& mesh = run.mesh;
  divides("tensor", mesh.tensor, run.model.block.attention.heads, "attention heads");
  divides("tensor", mesh.tensor, run.model.block.feed_forward.width, "feed-forward width");
  divides("context", mesh.context, run.model.sequence, "tokens of a sample");
  if (!run.first_stage_layers && !run.last_stage_layers)
    divides("pipeline", mesh.pipeline * mesh.virtual_stages,
            run.model.layers + (run.embedding_in_split ? 1 : 0) + (run.loss_in_split ? 1 : 0), "layers");
  if (!run.model.block.experts) return;
  divides("expert", mesh.expert, run.model.block.experts->experts, "experts");
  divides("expert", mesh.expert * mesh.expert_tensor * mesh.pipeline, mesh.world(), "devices");
}

}  // namespace paceline::megatron
