#include "tests/fuzz/fuzz_entries.h"

#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "base/json_reader.h"
#include "base/profile.h"
#include "sim/hardware/graph.h"
#include "sim/hardware/topo_cluster.h"
#include "sim/hardware/topology.h"
#include "sim/model/hugging_face/hugging_face.h"
#include "sim/study/nccl_tests/nccl_tests_profile.h"
#include "tests/traces/timeline_difference.h"
#include "traces/analysis/analysis.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

template <class Ask>
void ask(Ask question) {
  try {
    question();
  } catch (const InputError&) {  // the right answer for a value of another kind
  }
}

void ask_everything(const JsonValue& value, int depth) {
  ask([&] { (void)value.string(); });
  ask([&] { (void)value.boolean(); });
  ask([&] { (void)value.number(0, 1); });
  ask([&] { (void)value.integer(); });
  ask([&] { (void)value.quantity<Bytes>(); });
  ask([&] { (void)value.quantity<Seconds>(); });
  ask([&] { (void)value.choice({"ring", "tree"}); });
  if (depth == 0) return;
  ask([&] {
    for (const JsonValue& item : value.array()) ask_everything(item, depth - 1);
  });
  ask([&] {
    JsonObject object = value.object();
    for (const std::string& name : object.all_names()) ask_everything(object.required(name), depth - 1);
    object.finish();
  });
}

}  // namespace

void fuzz_trace(std::string_view bytes) {
  TraceImport import;
  try {
    import = read_trace_bytes(bytes, "rank_1.json");
  } catch (const TraceError&) {
    return;
  }
  (void)analyze(import.timeline);
  (void)to_text(import.report);
  const std::string text = to_chrome_json(import.timeline);
  const TraceImport again = read_trace_bytes(text, "rank_1.json");
  const std::string changed = difference(import.timeline, again.timeline);
  if (!changed.empty()) throw std::logic_error("not the same after writing and reading: " + changed);
}

void fuzz_json(std::string_view bytes) {
  ask([&] { ask_everything(JsonValue::parse_text(bytes, "fuzz.json"), 8); });
}

void fuzz_nccl_tests(std::string_view bytes) {
  ask([&] {
    std::istringstream stream{std::string(bytes)};
    (void)to_json(to_profile(read_nccl_tests(stream, "fuzz.log"), {}));
  });
}

void fuzz_profile(std::string_view bytes, const char* file) {
  write_file(file, bytes);
  ask([&] { (void)to_json(read_profile(file)); });
}

void fuzz_topo(std::string_view bytes) {
  Device device;
  device.nvlink = NvLink{12, gigabytes_per_second(25)};
  ask([&] {
    const TopoMatrix matrix = read_topo_matrix(bytes, "topo.txt");
    const Cluster cluster = cluster_from_matrix(matrix, device, {"topo.txt", "box", "", {}});
    if (matrix.gpus > 1 && group_link(cluster, device, 2).raw.value() <= 0)
      throw std::logic_error("two devices of a node that do not reach each other");
    const Topology topology(cluster, device, 1);
    for (const Path& path : topology.paths(topology.devices(0).front()))
      if (path.path_class == PathClass::dis) throw std::logic_error("a part of a node that is not reached");
  });
}

void fuzz_hugging_face(std::string_view bytes) {
  ask([&] {
    const HuggingFaceModel read = read_hugging_face(JsonValue::parse_text(bytes, "config.json"));
    const Model model = read.recipe.build(read.recipe.resolve({}));
    if (model.parameter_count() <= 0 || !(model.forward_multiply_adds() > 0))
      throw std::logic_error("a net without parameters or work");
  });
}

}  // namespace paceline
