#include "sim/hardware/collective_constants.h"

#include <array>
#include <string_view>

namespace paceline {
namespace {

void read_shares(JsonObject shares, CollectiveConstants& constants) {
  const auto share = [&](const char* name) { return shares.required(name).number(0.01, 2); };
  constants.ll_link_share = share("ll_link");
  constants.ll_network_share = share("ll_network");
  constants.ll128_network_share = share("ll128_network");
  constants.tree_link_gain = share("tree_link");
  constants.tree_network_share = share("tree_network");
  constants.nvls_tree_link_share = share("nvls_tree_link");
  constants.nvls_tree_network_share = share("nvls_tree_network");
  constants.all_to_all_network_share = share("all_to_all_network");
  constants.slot_share = share("slot");
  static_cast<void>(shares.required("source").string());
  shares.finish();
}

void read_sizes(JsonObject sizes, CollectiveConstants& constants) {
  constants.fill_limit = sizes.required("fill_limit").quantity<Bytes>();
  constants.ll_first_piece = sizes.required("ll_first_piece").quantity<Bytes>();
  constants.point_to_point_ll = sizes.required("point_to_point_ll").quantity<Bytes>();
  constants.nvls_full_chunks = sizes.required("nvls_full_chunks").quantity<Bytes>();
  constants.ramp_unit = sizes.required("ramp_unit").quantity<Bytes>();
  constants.ramp_limit = sizes.required("ramp_limit").quantity<Bytes>();
  constants.node_channels = static_cast<int>(sizes.required("node_channels").integer(1, 64));
  static_cast<void>(sizes.required("source").string());
  sizes.finish();
}

void read_launch(JsonObject launch, CollectiveConstants& constants) {
  constants.one_process_launch = launch.required("one_process_per_device").quantity<Seconds>();
  constants.framework_launch = launch.required("framework").quantity<Seconds>();
  static_cast<void>(launch.required("source").string());
  launch.finish();
}

Spread read_spread(const JsonValue& value) {
  JsonObject object = value.object();
  const Spread spread{object.required("low").number(0.01, 1), object.required("high").number(1, 100)};
  object.finish();
  return spread;
}

void read_spreads(JsonObject classes, CollectiveConstants& constants) {
  constexpr std::array<const char*, CollectiveConstants::class_count> names{"switched", "single_node",
                                                                            "rdma_nodes", "other_nodes"};
  for (std::size_t index = 0; index < names.size(); ++index) {
    JsonObject sizes = classes.required(names[index]).object();
    constants.spread[index] = {read_spread(sizes.required("small")), read_spread(sizes.required("middle")),
                               read_spread(sizes.required("large"))};
    sizes.finish();
  }
  static_cast<void>(classes.required("source").string());
  classes.finish();
}

}  // namespace

CollectiveConstants read_collective_constants(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/collectives-1");
  CollectiveConstants constants;
  constants.name = object.required("name").string();
  read_shares(object.required("shares").object(), constants);
  read_sizes(object.required("sizes").object(), constants);
  read_launch(object.required("launch").object(), constants);
  read_spreads(object.required("spread").object(), constants);
  constants.byte_arithmetic = object.required("byte_arithmetic").number(1, 2);
  object.finish();
  return constants;
}

}  // namespace paceline
