// The reader of scenarios/clusters.
#include <fmt/format.h>

#include "base/error.h"
#include "sim/hardware/hardware_files.h"
#include "sim/hardware/shape_files.h"

namespace paceline {
namespace {

// In the order of InterconnectKind.
const std::vector<std::string>& kind_words() {
  static const std::vector<std::string> words{
      "nvlink-cube-mesh", "nvswitch", "nvlink-mesh", "nvlink-bridge", "pcie", "xgmi-mesh", "torus"};
  return words;
}

BytesPerSecond positive_rate(const JsonValue& value) {
  const auto rate = value.quantity<BytesPerSecond>();
  if (rate <= BytesPerSecond(0)) value.fail("a rate above 0");
  return rate;
}

// A matrix for another kind, or a torus without dimensions, would be ignored in silence.
void read_links(JsonObject& object, int devices, Interconnect& inter) {
  const bool mesh = inter.kind == InterconnectKind::nvlink_mesh ||
                    inter.kind == InterconnectKind::nvlink_cube_mesh ||
                    inter.kind == InterconnectKind::xgmi_mesh;
  if (const auto links = object.optional("links")) {
    if (!mesh) links->fail("no \"links\" for this kind", "use nvlink-mesh, nvlink-cube-mesh or xgmi-mesh");
    inter.links = read_link_matrix(*links, devices);
  }
  const auto dimensions = object.optional("dimensions");
  if (inter.kind == InterconnectKind::torus)
    inter.torus = read_torus(dimensions ? *dimensions : object.required("dimensions"), devices, inter.rate);
  else if (dimensions)
    dimensions->fail("no \"dimensions\" for this kind", "use the kind torus");
}

Interconnect read_interconnect(const JsonValue& value, int devices) {
  JsonObject object = value.object();
  Interconnect inter;
  inter.kind = static_cast<InterconnectKind>(object.required("kind").choice(kind_words()));
  inter.rate = positive_rate(object.required("rate"));
  if (const auto peer = object.optional("peer_to_peer")) inter.peer_to_peer = peer->boolean();
  if (const auto roots = object.optional("devices_per_root"))
    inter.devices_per_root = static_cast<int>(roots->integer(1, 1024));
  if (const auto rate = object.optional("between_roots"))
    inter.between_roots = rate->quantity<BytesPerSecond>();
  read_links(object, devices, inter);
  object.finish();
  return inter;
}

Network read_network(const JsonValue& value, int max_nodes) {
  JsonObject object = value.object();
  Network network;
  network.fabric = object.required("fabric").string();
  network.nics = static_cast<int>(object.required("nics").integer(1, 1024));
  network.rate = positive_rate(object.required("rate"));
  if (const auto shape = object.optional("shape"))
    network.shape = read_fabric_shape(*shape, network.nics, network.rate, max_nodes);
  object.finish();
  return network;
}

Host read_host(const std::optional<JsonValue>& pcie, const std::optional<JsonValue>& host) {
  Host result;
  if (pcie) {
    JsonObject object = pcie->object();
    static_cast<void>(object.required("generation").integer(1, 7));
    if (const auto devices = object.optional("devices_per_switch"))
      result.devices_per_switch = static_cast<int>(devices->integer(1, 1024));
    object.finish();
  }
  if (host) {
    JsonObject object = host->object();
    if (const auto sockets = object.optional("sockets"))
      result.sockets = static_cast<int>(sockets->integer(1, 1024));
    if (const auto cpu = object.optional("cpu")) {
      const std::size_t kind = cpu->choice({"intel", "amd", "arm"});
      result.amd = kind == 1;
      result.arm = kind == 2;
    }
    if (const auto c2c = object.optional("c2c")) result.c2c = positive_rate(*c2c);
    static_cast<void>(object.optional("memory_bandwidth"));
    object.finish();
  }
  return result;
}

}  // namespace

const std::string& to_string(InterconnectKind kind) { return kind_words()[static_cast<std::size_t>(kind)]; }

Cluster read_cluster(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/cluster-1");
  Cluster cluster;
  cluster.name = object.required("name").string();
  cluster.title = object.required("title").string();
  cluster.source = object.required("source").string();
  if (const auto aliases = object.optional("aliases"))
    for (const JsonValue& alias : aliases->array()) cluster.aliases.push_back(alias.string());
  cluster.device = object.required("device").string();
  cluster.devices_per_node = static_cast<int>(object.required("devices_per_node").integer(1, 16384));
  cluster.interconnect = read_interconnect(object.required("interconnect"), cluster.devices_per_node);
  const auto most = object.optional("max_nodes");
  const auto network = object.optional("network");
  cluster.max_nodes = most ? static_cast<int>(most->integer(1, 1 << 20)) : network ? 1 << 20 : 1;
  if (network) cluster.network = read_network(*network, cluster.max_nodes);
  if (!network && cluster.max_nodes > 1) most->fail("1, as the cluster has no \"network\"");
  cluster.host = read_host(object.optional("pcie"), object.optional("host"));
  if (const auto reference = object.optional("reference_system"))
    cluster.reference_system = reference->boolean();
  static_cast<void>(object.optional("note"));
  object.finish();
  return cluster;
}

}  // namespace paceline
