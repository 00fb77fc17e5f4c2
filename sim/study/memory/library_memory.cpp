#include "sim/study/memory/library_memory.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_reader.h"

namespace paceline {
namespace {

std::map<int, Bytes> by_capability(const JsonValue& value) {
  JsonObject object = value.object();
  if (object.required("source").string().empty()) object.required("source").fail("where the bytes come from");
  JsonObject table = object.required("by_compute_capability").object();
  object.finish();
  std::map<int, Bytes> bytes;
  for (const std::string& name : table.all_names()) {
    const int capability = static_cast<int>(std::lround(std::strtod(name.c_str(), nullptr) * 10));
    if (capability <= 0) table.value().fail("compute capabilities such as \"9.0\"");
    bytes[capability] = Bytes(table.required(name).number(0, 1e12));
  }
  if (bytes.empty()) table.value().fail("at least one compute capability");
  return bytes;
}

double figure(const JsonValue& value) {
  JsonObject object = value.object();
  if (object.required("source").string().empty())
    object.required("source").fail("where the figure comes from");
  const double number = object.required("value").number(0, 1e12);
  object.finish();
  return number;
}

Bytes from_on(const std::map<int, Bytes>& table, int capability) {
  auto above = table.upper_bound(capability);
  return above == table.begin() ? above->second : std::prev(above)->second;
}

}  // namespace

LibraryMemory LibraryMemory::load(const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/library-memory-1");
  (void)object.required("name").string();
  LibraryMemory memory;
  memory.engine_workspace = by_capability(object.required("engine_workspace"));
  memory.matrix_workspace = by_capability(object.required("matrix_workspace"));
  memory.grouped_products = figure(object.required("grouped_products"));
  memory.deterministic_workspace = Bytes(figure(object.required("deterministic_workspace")));
  memory.reserved_rate = figure(object.required("reserved_rate"));
  object.finish();
  return memory;
}

megatron::Libraries LibraryMemory::on(int compute_capability, bool transformer_engine,
                                      bool deterministic) const {
  const Bytes engine = from_on(engine_workspace, compute_capability);
  megatron::Libraries libraries;
  libraries.transformer_engine = transformer_engine;
  libraries.engine_workspace = engine;
  libraries.grouped_workspace = engine * grouped_products;
  libraries.matrix_workspace =
      deterministic ? deterministic_workspace : from_on(matrix_workspace, compute_capability);
  libraries.reserved_rate = reserved_rate;
  return libraries;
}

}  // namespace paceline
