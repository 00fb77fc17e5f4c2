#include "sim/hardware/shape_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/hardware/dragonfly.h"

namespace paceline {
namespace {

constexpr int most_hosts = 1 << 20;

int count(JsonObject& object, const std::string& name, int least) {
  return static_cast<int>(object.required(name).integer(least, most_hosts));
}

double oversubscription(JsonObject& object, const std::string& name) {
  return object.required(name).number(1, 1000);
}

// More than one switch of a level, or the shape would be a single switch.
void expect_several(const JsonValue& value, std::int64_t below, int max_nodes) {
  if (below >= max_nodes) {
    value.fail(fmt::format("fewer nodes than max_nodes, {}, below one switch", max_nodes),
               "leave \"shape\" out for a single switch");
  }
}

LeafSpine read_leaf_spine(JsonObject& object, int max_nodes) {
  LeafSpine shape{count(object, "hosts_per_leaf", 1), oversubscription(object, "oversubscription")};
  expect_several(object.required("hosts_per_leaf"), shape.hosts_per_leaf, max_nodes);
  return shape;
}

RailOptimized read_rails(JsonObject& object, int nics) {
  if (nics < 2)
    object.value().fail(fmt::format("a shape for nodes of {} NIC", nics), "rails need two; use leaf-spine");
  return {count(object, "hosts_per_leaf", 1), oversubscription(object, "oversubscription")};
}

FatTree read_fat_tree(JsonObject& object, int max_nodes) {
  FatTree tree{count(object, "hosts_per_edge", 1), count(object, "edges_per_pod", 2),
               oversubscription(object, "edge_oversubscription"),
               oversubscription(object, "pod_oversubscription")};
  expect_several(object.required("edges_per_pod"), std::int64_t{tree.hosts_per_edge} * tree.edges_per_pod,
                 max_nodes);
  return tree;
}

Dragonfly read_dragonfly(JsonObject& object, BytesPerSecond rate, int max_nodes) {
  constexpr int most = 4096;
  Dragonfly shape{static_cast<int>(object.required("groups").integer(2, most)),
                  static_cast<int>(object.required("routers_per_group").integer(1, most)),
                  static_cast<int>(object.required("hosts_per_router").integer(1, most)),
                  static_cast<int>(object.required("global_links").integer(1, most)), rate};
  if (const auto link = object.optional("link_rate")) {
    shape.link_rate = link->quantity<BytesPerSecond>();
    if (shape.link_rate <= BytesPerSecond(0)) link->fail("a rate above 0");
  }
  if (links_between_groups(shape) < 1) {
    object.required("global_links")
        .fail(fmt::format("a link to each of the {} other groups from a group's {} routers", shape.groups - 1,
                          shape.routers_per_group));
  }
  const std::int64_t hosts =
      std::int64_t{shape.groups} * shape.routers_per_group * std::int64_t{shape.hosts_per_router};
  if (hosts < max_nodes) {
    object.value().fail(fmt::format("places for max_nodes, {}; it has {}", max_nodes, hosts),
                        "lower max_nodes or add groups");
  }
  return shape;
}

// Every device reached from the first over links.
bool connected(const LinkCounts& links) {
  std::vector<bool> reached(links.size(), false);
  std::vector<std::size_t> todo{0};
  reached[0] = true;
  while (!todo.empty()) {
    const std::size_t from = todo.back();
    todo.pop_back();
    for (std::size_t to = 0; to < links.size(); ++to) {
      if (links[from][to] == 0 || reached[to]) continue;
      reached[to] = true;
      todo.push_back(to);
    }
  }
  return std::find(reached.begin(), reached.end(), false) == reached.end();
}

}  // namespace

LinkMatrix read_link_matrix(const JsonValue& value, int devices) {
  if (devices < 2 || devices > LinkMatrix::most_devices)
    value.fail(fmt::format("a matrix for nodes of 2 to {} devices", LinkMatrix::most_devices));
  const auto size = static_cast<std::size_t>(devices);
  const std::vector<JsonValue> rows = value.array();
  if (rows.size() != size) value.fail(fmt::format("{} rows, one a device", size));
  LinkCounts counts;
  for (const JsonValue& row : rows) {
    const std::vector<JsonValue> cells = row.array();
    if (cells.size() != size) row.fail(fmt::format("{} numbers of links, one a device", size));
    counts.emplace_back();
    for (const JsonValue& cell : cells) {
      const std::size_t a = counts.size() - 1, b = counts.back().size();
      counts[a].push_back(static_cast<int>(cell.integer(0, 64)));
      if (a == b && counts[a][b] != 0) cell.fail("0, as a device has no link to itself");
      if (b < a && counts[a][b] != counts[b][a])
        cell.fail(fmt::format("{}, the links the other way", counts[b][a]), "a link goes both ways");
    }
  }
  if (!connected(counts))
    value.fail("links over which all devices are reached", "for pairs of devices use nvlink-bridge");
  return LinkMatrix(counts);
}

Torus read_torus(const JsonValue& value, int devices, BytesPerSecond rate) {
  Torus torus;
  std::int64_t product = 1;
  for (const JsonValue& item : value.array()) {
    JsonObject object = item.object();
    TorusDimension dimension{static_cast<int>(object.required("size").integer(1, 16384)), true, rate};
    dimension.wrap = dimension.size > 2;
    if (const auto wrap = object.optional("wrap")) {
      dimension.wrap = wrap->boolean();
      if (dimension.wrap && dimension.size < 3) wrap->fail("three devices or more for a ring");
    }
    if (const auto own = object.optional("rate")) {
      dimension.rate = own->quantity<BytesPerSecond>();
      if (dimension.rate <= BytesPerSecond(0)) own->fail("a rate above 0");
    }
    object.finish();
    product = std::min<std::int64_t>(product * dimension.size, 1 << 30);
    torus.push_back(dimension);
  }
  if (product != devices || torus.empty())
    value.fail(fmt::format("sizes whose product, {}, is devices_per_node, {}", product, devices));
  return torus;
}

FabricShape read_fabric_shape(const JsonValue& value, int nics, BytesPerSecond rate, int max_nodes) {
  JsonObject object = value.object();
  FabricShape shape;
  switch (object.required("kind").choice(
      {"single-switch", "leaf-spine", "rail-optimized", "fat-tree", "dragonfly"})) {
    case 1:
      shape = read_leaf_spine(object, max_nodes);
      break;
    case 2:
      shape = read_rails(object, nics);
      break;
    case 3:
      shape = read_fat_tree(object, max_nodes);
      break;
    case 4:
      shape = read_dragonfly(object, rate, max_nodes);
      break;
    default:
      break;
  }
  object.finish();
  return shape;
}

}  // namespace paceline
