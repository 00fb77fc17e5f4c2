#include "sim/study/nccl_tests/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/json_reader.h"
#include "sim/study/nccl_tests/consistency.h"
#include "sim/study/nccl_tests/debug_lines.h"
#include "sim/study/nccl_tests/log_line.h"

namespace paceline::nccl_tests {
namespace {

constexpr int deepest = 8;
constexpr std::size_t most_tables = 1024;

using Names = std::vector<std::string>;

std::optional<JsonValue> field(const JsonValue& value, const Names& names) {
  if (!value.is_object()) return std::nullopt;
  JsonObject object = value.object();
  for (const std::string& name : names)
    if (auto found = object.optional(name)) return found;
  return std::nullopt;
}

std::optional<double> number(const JsonValue& value, const Names& names) {
  const auto found = field(value, names);
  if (!found) return std::nullopt;
  if (found->is_number()) return found->number();
  return found->is_string() ? number_of(found->string()) : std::nullopt;  // "0", "N/A"
}

std::string text(const JsonValue& value, const Names& names) {
  const auto found = field(value, names);
  return found && found->is_string() ? found->string() : "";
}

int count(const JsonValue& value, const Names& names) {
  const double found = number(value, names).value_or(0);
  return found >= 0 && found < 1 << 20 ? static_cast<int>(found) : 0;
}

std::optional<Seconds> time_of(const JsonValue& row, const Names& place) {
  const auto group = field(row, place);
  if (!group) return std::nullopt;
  const auto micro = number(*group, {"time", "time_us", "us"});
  if (!micro || *micro <= 0 || *micro > 1e12) return std::nullopt;
  return microseconds(*micro);
}

class JsonLog {
 public:
  explicit JsonLog(const std::string& file) { log_.file = file; }

  NcclTestsLog read(const JsonValue& root) {
    describe(root);
    walk(root, 0);
    if (log_.tables.empty())
      throw InputError(log_.file, "JSON without a row of a table",
                       "what nccl-tests writes with -J: results with size and out_of_place times",
                       "give the file that all_reduce_perf -J wrote");
    const auto devices = std::make_shared<const std::vector<NcclTestsDevice>>(std::move(devices_));
    for (NcclTestsTable& table : log_.tables) table.device_list = devices;
    complete(log_);
    return std::move(log_);
  }

 private:
  void describe(const JsonValue& root) {
    for (const std::string name : {"args", "env"}) {
      const auto list = field(root, {name});
      if (!list || !list->is_array()) continue;
      for (const JsonValue& item : list->array())
        if (item.is_string()) word(item.string(), name == "env");
    }
    if (const std::string version = text(root, {"nccl_version", "nccl-library"}); !version.empty())
      read_debug_line("NCCL version " + version, log_.debug);
    const auto config = field(root, {"config", "parameters"});
    header_.threads = count(config.value_or(root), {"nthreads", "nThreads"});
    header_.gpus_per_process = count(config.value_or(root), {"ngpus", "nGpus"});
    header_.graph = count(config.value_or(root), {"graph"}) > 0;
    if (*header_.threads == 0) header_.threads.reset();
    if (*header_.gpus_per_process == 0) header_.gpus_per_process.reset();
  }

  void word(const std::string& item, bool environment) {
    if (!environment && header_.collective.empty()) header_.collective = nccl_tests_collective(item);
    const std::size_t equal = item.find('=');
    if (environment && item.starts_with("NCCL_") && equal != std::string::npos &&
        log_.debug.variables.size() < 512)
      log_.debug.variables[item.substr(0, equal)] = item.substr(equal + 1);
  }

  // A list of devices, of rows, or something that may hold one.
  void walk(const JsonValue& value, int depth) {
    if (depth > deepest) return;
    if (value.is_object()) {
      if (device(value) || row(value)) return;
      JsonObject object = value.object();
      for (const std::string& name : object.all_names()) walk(object.required(name), depth + 1);
    } else if (value.is_array()) {
      for (const JsonValue& item : value.array()) walk(item, depth + 1);
    }
  }

  bool device(const JsonValue& value) {
    const auto rank = number(value, {"rank"});
    const std::string host = text(value, {"hostname", "host"});
    if (!rank || host.empty() || *rank < 0 || *rank >= 1 << 20) return false;
    NcclTestsDevice device;
    device.rank = static_cast<int>(*rank);
    device.group = count(value, {"group"});
    device.host = host;
    device.ordinal = count(value, {"device", "cuda_dev"});
    device.name = text(value, {"device_info", "device_name", "name", "gpu"});
    devices_.push_back(device);
    return true;
  }

  bool row(const JsonValue& value) {
    const auto bytes = number(value, {"size", "size_bytes", "bytes"});
    NcclTestsRow row;
    row.out_of_place = time_of(value, {"out_of_place", "out-of-place", "outofplace"});
    row.in_place = time_of(value, {"in_place", "in-place", "inplace"});
    if (!bytes || (!row.out_of_place && !row.in_place)) return false;
    if (*bytes <= 0 || *bytes > 1e15) return true;
    row.bytes = Bytes(*bytes);
    // Its numbers are those of the text, which has two decimals.
    row.decimals = 0.005;
    for (const Names& place :
         {Names{"out_of_place", "out-of-place", "outofplace"}, Names{"in_place", "in-place", "inplace"}}) {
      const auto group = field(value, place);
      if (!group) continue;
      row.wrong += static_cast<std::int64_t>(
          std::clamp(number(*group, {"nwrong", "wrong", "errors"}).value_or(0), 0.0, 1e15));
      if (!row.algbw) row.algbw = number(*group, {"alg_bw", "algbw"});
      if (!row.busbw) row.busbw = number(*group, {"bus_bw", "busbw"});
    }
    add(row, text(value, {"type", "datatype"}), text(value, {"redop", "op"}));
    return true;
  }

  void add(const NcclTestsRow& row, const std::string& type, const std::string& reduction) {
    const bool continues = !log_.tables.empty() && log_.tables.back().data_type == type &&
                           log_.tables.back().reduction == reduction &&
                           log_.tables.back().rows.back().bytes < row.bytes;
    if (!continues && log_.tables.size() >= most_tables) return;
    if (!continues) {
      NcclTestsTable table = header_;
      table.data_type = type;
      table.reduction = reduction;
      if (!table.collective.empty()) table.collective_from = "args";
      log_.tables.push_back(std::move(table));
    }
    log_.tables.back().rows.push_back(row);
  }

  NcclTestsLog log_;
  NcclTestsTable header_;
  std::vector<NcclTestsDevice> devices_;
};

}  // namespace

NcclTestsLog read_json_log(std::string_view text, const std::string& file) {
  return JsonLog(file).read(JsonValue::parse_text(text, file));
}

}  // namespace paceline::nccl_tests
