#include "sim/strategy/mesh.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"

namespace paceline {
namespace {

void check_positive(const Degrees& degrees, const Parallelism& parallelism, int ranks, int ranks_per_node) {
  const auto check = [](const char* field, int value) {
    if (value < 1) throw InputError(field, std::to_string(value), "at least 1", "");
  };
  check("tensor", degrees.tensor);
  check("pipeline", degrees.pipeline);
  check("virtual_stages", degrees.virtual_stages);
  check("context", degrees.context);
  check("expert", degrees.expert);
  check("replicas", parallelism.replicas);
  check("devices", ranks);
  check("devices_per_node", ranks_per_node);
}

int data_ranks(const Degrees& degrees, int ranks) {
  const std::int64_t model = std::int64_t{degrees.tensor} * degrees.pipeline * degrees.context;
  if (model > ranks || ranks % model != 0) {
    const std::string product = fmt::format("tensor {} x pipeline {} x context {} = {}", degrees.tensor,
                                            degrees.pipeline, degrees.context, model);
    const std::int64_t fewer = ranks / model * model;
    throw InputError("strategy", product, fmt::format("a divisor of {} devices", ranks),
                     fewer > 0 ? fmt::format("use {} or {} devices, or other degrees", fewer, fewer + model)
                               : fmt::format("use {} devices, or smaller degrees", model));
  }
  return ranks / static_cast<int>(model);
}

}  // namespace

Mesh::Mesh(const Parallelism& parallelism, int ranks, int ranks_per_node)
    : degrees_(parallelism.degrees),
      order_(parallelism.order),
      ranks_(ranks),
      per_node_(ranks_per_node),
      replicas_(parallelism.replicas) {
  check_positive(degrees_, parallelism, ranks, ranks_per_node);
  data_ = data_ranks(degrees_, ranks);
  if (data_ % replicas_ != 0)
    throw InputError(
        "replicas", std::to_string(replicas_),
        fmt::format("a divisor of the {} data ranks: {} devices / (tensor {} x pipeline {} x context {})",
                    data_, ranks, degrees_.tensor, degrees_.pipeline, degrees_.context),
        "choose another number of replicas");
  check_expert_ranks();
  check_equal_distances();
}

void Mesh::check_expert_ranks() const {
  const int stage = degrees_.tensor * degrees_.context * data_;
  if (stage % degrees_.expert == 0) return;
  throw InputError("expert", std::to_string(degrees_.expert),
                   fmt::format("a divisor of the ranks of a stage: tensor {} x context {} x data {} = {}",
                               degrees_.tensor, degrees_.context, data_, stage),
                   "choose another degree");
}

void Mesh::check_equal_distances() const {
  if (!stages_between_data()) return;
  const int inner = degrees_.tensor * degrees_.context;
  if (degrees_.context > 1)
    throw InputError("rank_order",
                     fmt::format("\"tp-cp-pp-dp\" with context {} x pipeline {} x data {}", degrees_.context,
                                 degrees_.pipeline, data_),
                     "context 1, pipeline 1 or data 1", "use \"tp-cp-dp-pp\"");
  if (degrees_.expert > 1 && degrees_.expert != inner)
    throw InputError(
        "rank_order", fmt::format("\"tp-cp-pp-dp\" with expert {}", degrees_.expert),
        fmt::format("expert = tensor {} x context {} = {}", degrees_.tensor, degrees_.context, inner),
        "use \"tp-cp-dp-pp\"");
}

bool Mesh::stages_between_data() const {
  return order_ == RankOrder::tensor_context_pipeline_data && degrees_.pipeline > 1 && data_ > 1;
}

int Mesh::stage_stride() const {
  return order_ == RankOrder::tensor_context_data_pipeline ? ranks_ / degrees_.pipeline
                                                           : degrees_.tensor * degrees_.context;
}

int Mesh::first_rank_of_stage(int stage) const { return stage * stage_stride(); }

// Blocks of `period` ranks hold whole pipelines; a node's end inside one parts two neighbouring stages.
bool Mesh::stages_cross_nodes() const {
  const int period = degrees_.pipeline * stage_stride();
  return degrees_.pipeline > 1 && ranks_ > per_node_ && per_node_ % period != 0;
}

RankPlace Mesh::place(int rank) const {
  RankPlace place;
  const auto take = [&rank](int size) {
    const int index = rank % size;
    rank /= size;
    return index;
  };
  place.tensor = take(degrees_.tensor);
  place.context = take(degrees_.context);
  if (order_ == RankOrder::tensor_context_data_pipeline) {
    place.data = take(data_);
    place.pipeline = rank;
  } else {
    place.pipeline = take(degrees_.pipeline);
    place.data = rank;
  }
  return place;
}

int Mesh::rank_of(const RankPlace& place) const {
  const int outer = order_ == RankOrder::tensor_context_data_pipeline
                        ? place.data + data_ * place.pipeline
                        : place.pipeline + degrees_.pipeline * place.data;
  return place.tensor + degrees_.tensor * (place.context + degrees_.context * outer);
}

}  // namespace paceline
