#include "sim/study/memory/published_memory.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/json_reader.h"
#include "sim/memory/megatron/memory_of_stage.h"
#include "sim/study/memory/megatron_words.h"
#include "sim/study/published_fields.h"
#include "sim/study/published_machine.h"

namespace paceline {
namespace {

// One format of files: where its rows are, and what holds for all of them.
struct Dialect {
  std::string rows;
  MegatronDefaults defaults;
  bool only_megatron_memory = false;  // rows of other kinds stand beside
};

Dialect dialect_of(const JsonValue& format, JsonObject& file) {
  const std::string name = format.string();
  if (name == "dist-training-truth/1") return {"entries", {}, true};
  // Runs of Megatron-LM with Transformer Engine's attention and experts padded to their capacity.
  if (name == "published-training-1") return {"entries", {true, true, 1.0, true}, false};
  if (name != "paceline/published-1")
    format.fail("\"paceline/published-1\", \"published-training-1\" or \"dist-training-truth/1\"");
  const JsonValue kind = file.required("kind");
  if (kind.string() != "memory") kind.fail("\"memory\"", "validate a file of memory");
  return {"rows", {}, false};
}

std::optional<Bytes> size_of(JsonObject& object, const std::string& name, Bytes unit) {
  const auto value = object.optional(name);
  if (!value || !value->is_number()) return std::nullopt;
  return unit * value->number(0, 1e9);
}

std::vector<MeasuredRank> by_rank(JsonObject table) {
  std::vector<MeasuredRank> measured;
  for (const std::string& name : table.all_names()) {
    JsonObject rank = table.required(name).object();
    measured.push_back({std::strtoll(name.c_str(), nullptr, 10), 0, std::nullopt,
                        size_of(rank, "allocated", mebibytes(1)), size_of(rank, "reserved", mebibytes(1))});
  }
  return measured;
}

// A single figure is of the last rank of the last stage, as Megatron-LM prints it.
std::vector<MeasuredRank> measured_of(JsonObject object, const megatron::Mesh& mesh) {
  const std::int64_t world = mesh.world();
  std::vector<MeasuredRank> measured;
  if (const auto ranks = object.optional("peak_by_rank_mib"))
    measured = by_rank(ranks->object());
  else
    measured.push_back({world - 1, 0, size_of(object, "static_mem_gib", gibibytes(1)),
                        size_of(object, "peak_mem_gib", gibibytes(1)),
                        size_of(object, "reserved_mem_gib", gibibytes(1))});
  // Ranks count tensor, context and data parallelism first, stages last.
  for (MeasuredRank& each : measured)
    each.stage = std::clamp<std::int64_t>(each.rank * mesh.pipeline / world, 0, mesh.pipeline - 1);
  return measured;
}

// The allocator's own bytes, not what a monitor shows of the device.
bool is_megatron_memory(JsonObject row) { return text_of(row, "category") == "memory-exact"; }

// A library's own choice of attention kernel can be told only where eager attention would not fit the device
// of a run that did fit. Of the fused ones Transformer Engine leaves cuDNN's aside on Blackwell when a run
// must be deterministic and drops out (attention/dot_product_attention/utils.py), and takes flash attention.
void settle_attention(MegatronWords& words, const Device& device) {
  if (!words.attention_unknown) return;
  words.run.model.block.attention.fused = false;
  for (const megatron::StageMemory& stage : megatron::memory_of_stages(words.run))
    if (stage.allocated_peak() > device.memory) {
      words.run.model.block.attention.fused = true;
      words.run.batch_first_attention =
          words.deterministic && device.compute_capability >= 100 && words.run.model.block.attention.dropout;
      return;
    }
  words.why_no_peak = "which attention kernel the library chose is not stated";
}

PublishedMemory read_row(const Catalog& catalog, const LibraryMemory& libraries, JsonObject row,
                         const Dialect& dialect, JsonObject& file) {
  PublishedMemory memory;
  memory.id = row.required("id").string();
  memory.group = text_of(row, "group");
  if (memory.group.empty()) memory.group = text_of(file, "group");
  const auto own = row.optional("system");
  JsonObject system = own ? own->object() : file.required("system").object();
  memory.device = text_of(system, "gpu");
  MegatronWords words = megatron_words(row.required("model"), row.required("strategy"), dialect.defaults);
  memory.why_not = words.why_not;
  const Device* device = published_device(catalog, memory.device);
  if (!device && memory.why_not.empty())
    memory.why_not = "device \"" + memory.device + "\" is not in the catalog";
  if (!memory.why_not.empty()) return memory;
  words.run.libraries =
      libraries.on(device->compute_capability, words.transformer_engine, words.deterministic);
  try {
    megatron::check(words.run);
    settle_attention(words, *device);
  } catch (const InputError& error) {
    memory.why_not = error.what();
    return memory;
  }
  memory.measured = measured_of(row.required("measured").object(), words.run.mesh);
  memory.why_no_peak = words.why_no_peak;
  memory.run = std::move(words.run);
  return memory;
}

}  // namespace

std::vector<PublishedMemory> read_published_memory(const Catalog& catalog, const LibraryMemory& libraries,
                                                   const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  const Dialect dialect = dialect_of(object.required("format"), object);
  std::vector<PublishedMemory> rows;
  for (const JsonValue& value : object.required(dialect.rows).array()) {
    if (dialect.only_megatron_memory && !is_megatron_memory(value.object())) continue;
    rows.push_back(read_row(catalog, libraries, value.object(), dialect, object));
  }
  return rows;
}

}  // namespace paceline
