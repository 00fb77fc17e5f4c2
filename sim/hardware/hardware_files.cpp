#include "sim/hardware/hardware_files.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"

namespace paceline {
namespace {

constexpr const char* catalog_remedy = "point --data or PACELINE_DATA to the project's scenarios folder";

template <class Item, class Read>
std::vector<Item> read_folder(const std::string& folder, Read read) {
  std::vector<Item> items;
  for (const std::string& file : json_files(folder, catalog_remedy))
    items.push_back(read(JsonValue::parse_file(file)));
  return items;
}

// {"value": ..., "source": "..."}; the source is kept under the field's name.
JsonValue sourced(const JsonValue& value, const std::string& name, std::vector<std::string>& sources) {
  JsonObject object = value.object();
  JsonValue inner = object.required("value");
  sources.push_back(name + ": " + object.required("source").string());
  if (const auto note = object.optional("note")) sources.back() += " (" + note->string() + ")";
  object.finish();
  return inner;
}

std::vector<std::string> strings(const std::optional<JsonValue>& value) {
  std::vector<std::string> list;
  if (value)
    for (const JsonValue& item : value->array()) list.push_back(item.string());
  return list;
}

void read_peaks(const JsonValue& value, Device& device) {
  JsonObject peaks = value.object();
  for (const std::string& name : peaks.all_names()) {
    const JsonValue peak = sourced(peaks.required(name), "peak " + name, device.sources);
    const auto& names = precision_names();
    const auto known = std::find(names.begin(), names.end(), name);
    // fp8, int8 and the like are kept in the files for later use; no kernel asks for them yet.
    if (known == names.end()) continue;
    const auto rate = peak.quantity<FlopsPerSecond>();
    if (rate <= FlopsPerSecond(0)) peak.fail("a rate above 0");
    device.peak[static_cast<std::size_t>(known - names.begin())] = rate;
  }
}

double share(JsonObject& object, const std::string& name, double fallback) {
  const auto value = object.optional(name);
  return value ? value->number(0, 1) : fallback;
}

Seconds time_or_zero(JsonObject& object, const std::string& name) {
  const auto value = object.optional(name);
  return value ? value->quantity<Seconds>() : Seconds(0);
}

Architecture read_architecture(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/architecture-1");
  Architecture architecture;
  architecture.name = object.required("name").string();
  architecture.title = object.required("title").string();
  architecture.source = object.required("source").string();
  architecture.bandwidth_share = object.required("bandwidth_share").number(0.01, 1);
  architecture.uncertainty = object.required("uncertainty").number(0, 3);
  static_cast<void>(object.required("uncertainty_source").string());
  architecture.host_speed = object.required("host_speed").number(0.01, 100);
  static_cast<void>(object.required("host_speed_source").string());
  if (const auto nvlink = object.optional("nvlink")) architecture.nvlink = nvlink->string();
  if (const auto pcie = object.optional("pcie")) architecture.pcie = pcie->string();
  JsonObject efficiency = object.required("efficiency").object();
  for (std::size_t index = 0; index < precision_count; ++index) {
    const auto entry = efficiency.optional(precision_names()[index]);
    if (!entry) continue;
    JsonObject shares = entry->object();
    architecture.efficiency[index] = {shares.required("winograd").number(0.001, 1),
                                      shares.required("dense").number(0.001, 1),
                                      shares.required("gemm").number(0.001, 1)};
    if (const auto note = shares.optional("note")) architecture.source += "; " + note->string();
    shares.finish();
  }
  efficiency.finish();
  object.finish();
  return architecture;
}

LinkConstants read_link(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/link-1");
  LinkConstants link;
  link.name = object.required("name").string();
  link.source = object.required("source").string();
  link.base = object.required("base").quantity<Seconds>();
  link.ll_step = object.required("ll_step").quantity<Seconds>();
  link.ll_channel_rate = object.required("ll_channel_rate").quantity<BytesPerSecond>();
  if (const auto step = object.optional("ll128_step")) {
    link.ll128_step = step->quantity<Seconds>();
    link.ll128_base = object.required("ll128_base").quantity<Seconds>();
    link.ll128_efficiency = object.required("ll128_efficiency").number(0.001, 1);
  }
  link.simple_step = object.required("simple_step").quantity<Seconds>();
  link.simple_base = object.required("simple_base").quantity<Seconds>();
  link.efficiency = object.required("efficiency").number(0.001, 1);
  link.ring_copy = object.required("ring_copy").number(0, 4);
  link.fill = object.required("fill").number(0, 1);
  link.channels = static_cast<int>(object.required("channels").integer(1, 64));
  link.compute_slowdown = share(object, "compute_slowdown", 0);
  link.host_staged_efficiency = share(object, "host_staged_efficiency", 0);
  link.host_staged_slowdown = share(object, "host_staged_slowdown", 0);
  link.nvls_efficiency = share(object, "nvls_efficiency", 0);
  link.nvls_base = time_or_zero(object, "nvls_base");
  link.nvls_small = share(object, "nvls_small", 0);
  link.peer_efficiency = share(object, "peer_efficiency", 0);
  if (const auto copy = object.optional("peer_copy")) link.peer_copy = copy->number(0, 4);
  link.peer_base = time_or_zero(object, "peer_base");
  link.channel_slowdown = share(object, "channel_slowdown", 0);
  link.uncertainty = object.required("uncertainty").number(0, 3);
  object.finish();
  return link;
}

FabricConstants read_fabric(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/fabric-1");
  FabricConstants fabric;
  fabric.name = object.required("name").string();
  fabric.source = object.required("source").string();
  fabric.efficiency = object.required("efficiency").number(0.001, 1);
  fabric.ll_step = object.required("ll_step").quantity<Seconds>();
  fabric.ll128_step = object.required("ll128_step").quantity<Seconds>();
  fabric.simple_step = object.required("simple_step").quantity<Seconds>();
  fabric.ramp = object.required("ramp").quantity<Seconds>();
  fabric.fill = object.required("fill").number(0, 1);
  fabric.compute_slowdown = share(object, "compute_slowdown", 0);
  if (const auto verbs = object.optional("verbs")) fabric.verbs = verbs->boolean();
  if (const auto joins = object.optional("joins_nics")) fabric.joins_nics = joins->boolean();
  if (const auto limit = object.optional("node_limit")) {
    fabric.node_limit = limit->quantity<BytesPerSecond>();
    if (fabric.node_limit <= BytesPerSecond(0)) limit->fail("a rate above 0");
  }
  fabric.uncertainty = object.required("uncertainty").number(0, 3);
  object.finish();
  return fabric;
}

}  // namespace

Device read_device(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/device-1");
  Device device;
  device.name = object.required("name").string();
  device.title = object.required("title").string();
  device.vendor = object.required("vendor").string();
  device.architecture = object.required("architecture").string();
  device.aliases = strings(object.optional("aliases"));
  if (const auto capability = object.optional("compute_capability"))
    device.compute_capability = static_cast<int>(std::lround(capability->number(1, 99) * 10));
  if (const auto count = object.optional("multiprocessors"))
    device.multiprocessors =
        static_cast<int>(sourced(*count, "multiprocessors", device.sources).integer(1, 100000));
  device.memory = sourced(object.required("memory"), "memory", device.sources).quantity<Bytes>();
  const JsonValue bandwidth =
      sourced(object.required("memory_bandwidth"), "memory bandwidth", device.sources);
  device.memory_bandwidth = bandwidth.quantity<BytesPerSecond>();
  if (device.memory_bandwidth <= BytesPerSecond(0)) bandwidth.fail("a rate above 0");
  read_peaks(object.required("peak"), device);
  if (const auto factor = object.optional("clock_factor"))
    device.clock_factor = sourced(*factor, "clock factor", device.sources).number(0.01, 2);
  if (const auto clock = object.optional("sustained_clock"))
    device.sustained_clock = sourced(*clock, "sustained clock", device.sources).number(0.1, 1);
  if (const auto pcie = object.optional("pcie")) {
    JsonObject slot = pcie->object();
    device.pcie_generation = static_cast<int>(slot.required("generation").integer(1, 6));
    device.pcie_lanes = static_cast<int>(slot.required("lanes").integer(1, 16));
    if (const auto peer = slot.optional("peer_access")) device.pcie_peer_access = peer->boolean();
    if (const auto source = slot.optional("source")) device.sources.push_back("PCIe: " + source->string());
    slot.finish();
  }
  if (const auto nvlink = object.optional("nvlink")) {
    JsonObject links = nvlink->object();
    device.nvlink = NvLink{static_cast<int>(links.required("links").integer(1, 64)),
                           links.required("rate").quantity<BytesPerSecond>()};
    if (const auto source = links.optional("source")) device.sources.push_back("NVLink: " + source->string());
    links.finish();
  }
  if (const auto note = object.optional("note")) device.sources.push_back("note: " + note->string());
  object.finish();
  return device;
}

std::vector<Device> read_devices(const std::string& folder) {
  return read_folder<Device>(folder, read_device);
}
std::vector<Cluster> read_clusters(const std::string& folder) {
  return read_folder<Cluster>(folder, read_cluster);
}
std::vector<Architecture> read_architectures(const std::string& folder) {
  return read_folder<Architecture>(folder, read_architecture);
}
std::vector<LinkConstants> read_links(const std::string& folder) {
  return read_folder<LinkConstants>(folder, read_link);
}
std::vector<FabricConstants> read_fabrics(const std::string& folder) {
  return read_folder<FabricConstants>(folder, read_fabric);
}

}  // namespace paceline
