#include "sim/study/published_parallel.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/study/published_fields.h"
#include "sim/study/published_words.h"

namespace paceline {
namespace {

std::string read_degrees(JsonObject& fields, Degrees& degrees) {
  degrees.tensor = count_of(fields, "tp", 1);
  degrees.pipeline = count_of(fields, "pp", 1);
  degrees.virtual_stages = count_of(fields, "vp", 1);
  degrees.context = count_of(fields, "cp", 1);
  degrees.expert = count_of(fields, "ep", 1);
  for (const char* degree : {"sp_degree", "etp"}) {
    const auto value = number_of(fields, degree);
    if (value && *value > 1) return fmt::format("{} = {:g} is not modelled", degree, *value);
  }
  return "";
}

std::string read_exchange(JsonObject& fields, Parallelism& parallel) {
  const std::string words = text_of(fields, "cp_comm");
  if (words.empty()) return "";
  const auto exchange = context_exchange_of(words);
  if (!exchange) return fmt::format("the exchange \"{}\" of context ranks is not modelled", words);
  parallel.context_exchange = *exchange;
  return "";
}

// A schedule that needs chunks, or a framework whose recipes interleave, leaves their number open.
std::string read_schedule(JsonObject& fields, const Framework& framework, std::int64_t layers,
                          Parallelism& parallel) {
  const std::string words = text_of(fields, "schedule");
  if (!words.empty()) {
    parallel.schedule = schedule_of(words);
    if (!parallel.schedule) return fmt::format("the schedule \"{}\" is not modelled", words);
  }
  if (parallel.degrees.pipeline == 1 || number_of(fields, "vp")) return "";
  const bool interleaves = parallel.schedule
                               ? *parallel.schedule == PipelineSchedule::interleaved
                               : framework.transformer && framework.transformer->pipeline_overlap;
  if (interleaves) parallel.degrees.virtual_stages = usual_virtual_stages(layers, parallel.degrees.pipeline);
  return "";
}

// Megatron cuts equal stages only: where layers alone do not divide, embedding and loss were counted too.
bool counts_embedding(const Degrees& degrees, std::int64_t layers) {
  const std::int64_t places = std::int64_t{degrees.pipeline} * degrees.virtual_stages;
  return layers > 0 && layers % places != 0 && (layers + 2) % places == 0;
}

// Full sharding within a node and copies across nodes is what hybrid sharding means where no size is given.
std::string read_sharding(const JsonValue& row, JsonObject& fields, Strategy& strategy) {
  Parallelism& parallel = strategy.parallel;
  const bool full = strategy.kind == StrategyKind::fully_sharded;
  const double stage = number_of(fields, "zero").value_or(full ? 3 : 0);
  if (stage != 0 && stage != 1 && stage != 2 && stage != 3)
    return fmt::format("ZeRO stage {:g} is not modelled", stage);
  const bool sharded = full || strategy.kind == StrategyKind::zero;
  parallel.zero_stage = sharded ? static_cast<int>(stage) : 0;
  if (text_of(fields, "dp_kind") == "hsdp") {
    JsonObject object = row.object();
    JsonObject system = object.required("system").object();
    parallel.replicas = count_of(system, "nodes", 1);
  }
  // Of replicas that nothing else splits the framework's own figures know better what runs beside what.
  const auto overlap = flag_of(fields, "overlap");
  if (overlap && splits_transformer(strategy)) {
    strategy.overlap = parallel.overlap_gradients = *overlap;
    if (sharded) parallel.overlap_parameters = *overlap;
  }
  return "";
}

std::string read_experts(JsonObject& fields, Parallelism& parallel) {
  const std::string dispatcher = text_of(fields, "dispatcher"), note = text_of(fields, "extra_note");
  if (!dispatcher.empty()) {
    parallel.dispatcher = dispatcher_of(dispatcher);
    if (!parallel.dispatcher) return fmt::format("the dispatcher \"{}\" is not modelled", dispatcher);
  }
  if (note == "1f1b-a2a-overlap") parallel.expert_overlap = true;
  parallel.capacity_factor = number_of(fields, "capacity_factor");
  if (parallel.capacity_factor) parallel.token_drop = true;
  return "";
}

// Publications name the generation of a fused kernel, which is the framework's; eager attention is another
// framework.
std::string check_attention(JsonObject& fields, const Framework& framework) {
  const std::string words = text_of(fields, "attn");
  if (words.empty() || words == "auto" || !framework.transformer) return "";
  const std::string& kernel = framework.transformer->attention.kernel;
  const bool eager = words == "unfused", second = words == "flash2";
  if (eager == kernel.empty() && !(second && kernel == "flash-attention-1")) return "";
  return fmt::format("attention \"{}\" is not what framework \"{}\" runs", words, framework.name);
}

}  // namespace

bool splits_transformer(const Strategy& strategy) {
  const Parallelism& parallel = strategy.parallel;
  return parallel.splits_model() || parallel.zero_stage > 0 || parallel.recompute != Recompute::none ||
         !parallel.recompute_modules.empty() || parallel.fp8 != Fp8Recipe::none ||
         strategy.kind == StrategyKind::zero || strategy.kind == StrategyKind::fully_sharded;
}

int usual_virtual_stages(std::int64_t layers, int pipeline) {
  if (layers % pipeline != 0) return 1;
  for (const int chunks : {6, 5, 4, 7, 3, 2})
    if (layers / pipeline % chunks == 0) return chunks;
  return 1;
}

std::string fill_published_parallelism(const JsonValue& row, const Framework& framework, std::int64_t layers,
                                       Strategy& strategy) {
  JsonObject object = row.object();
  JsonObject fields = object.required("strategy").object();
  Parallelism& parallel = strategy.parallel;
  const std::string recompute = text_of(fields, "recompute");
  const auto recomputed = recompute_of(recompute, text_of(fields, "framework"));
  if (!recomputed) return fmt::format("recomputation \"{}\" is not modelled", recompute);
  parallel.recompute = recomputed->recompute;
  parallel.recompute_modules = recomputed->modules;
  parallel.sequence_parallel = flag_of(fields, "sp");
  parallel.tensor_overlap = flag_of(fields, "tp_overlap");
  for (std::string reason :
       {read_degrees(fields, parallel.degrees), read_exchange(fields, parallel),
        read_schedule(fields, framework, layers, parallel), read_sharding(row, fields, strategy),
        read_experts(fields, parallel), check_attention(fields, framework)})
    if (!reason.empty()) return reason;
  parallel.embedding_counts = counts_embedding(parallel.degrees, layers);
  if (has_flag(row, "moe:tokendrop")) parallel.token_drop = true;
  return "";
}

}  // namespace paceline
