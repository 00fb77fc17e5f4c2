// Which links the communications of a step share, and what they take when they do and when they do not.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cost/host_slot.h"
#include "sim/engine/engine.h"
#include "sim/plan/step_builder.h"
#include "tests/sim/plan/plain_hardware.h"

namespace paceline {
namespace {

constexpr CollectiveKind kinds[] = {CollectiveKind::all_reduce,     CollectiveKind::all_gather,
                                    CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                                    CollectiveKind::reduce,         CollectiveKind::all_to_all,
                                    CollectiveKind::send_receive};
constexpr double rounding = 1e-12;

// Communications of all devices of a cluster, written as one rank, that may all start at once.
class Communications {
 public:
  Communications(const std::string& cluster, int devices)
      : kernels_(plain_.kernels()),
        cost_(catalog(), catalog().cluster(cluster), nullptr),
        request_{.model = model_,
                 .strategy = strategy_,
                 .framework = plain_.framework,
                 .kernels = kernels_,
                 .collectives = cost_,
                 .devices = devices,
                 .devices_per_node = catalog().cluster(cluster).devices_per_node,
                 .scale = {}},
        builder_(program_, request_),
        lane_(builder_.add_device({"GPU", 0, static_cast<std::uint32_t>(devices), true}, 1, no_id)) {}

  OpId collective(CollectiveKind kind, Bytes bytes) {
    return start(builder_.add_collective(kind, bytes, {&lane_}));
  }
  OpId host_copy(Bytes bytes) { return start(builder_.add_host_copy(lane_, bytes)); }
  // One device of the group of its own, to whom the others send, or who sends to them.
  OpId peer_copies(Bytes bytes, bool to_one) {
    return start(builder_.add_peer_copies(bytes, lane_, {}, to_one));
  }

  void run() { schedule_ = paceline::run(program_); }
  [[nodiscard]] double end(OpId op) const { return schedule_.end[op]; }
  [[nodiscard]] const Communication& of(OpId op) const {
    return program_.communications[program_.operations[op].communication];
  }
  [[nodiscard]] double alone(OpId op) const {
    return (of(op).latency + of(op).wire_bytes / of(op).rate).value();
  }
  [[nodiscard]] const CollectiveCost& cost() const { return cost_; }

 private:
  OpId start(CommunicationId id) {
    const StreamId stream = program_.add_stream({lane_.rank, StreamKind::communication, "any"});
    return builder_.communicate(lane_, stream, id, "communication", "step");
  }

  static const HardwareCatalog& catalog() { return test::source_catalog().hardware; }

  test::PlainHardware plain_;
  Model model_;
  Strategy strategy_;
  KernelCost kernels_;
  CollectiveCost cost_;
  StepRequest request_;
  Program program_;
  StepBuilder builder_;
  DeviceLane lane_;
  Schedule schedule_;
};

// The closed form of every communication is what its cost says: latency + bytes / rate. Groups of a part of a
// node, of a node and of two and sixteen nodes, of every cluster.
TEST(LinkSharing, ACommunicationAloneTakesWhatTheClosedFormSays) {
  const HardwareCatalog& hardware = test::source_catalog().hardware;
  for (const std::string& name : hardware.cluster_names()) {
    const Cluster& cluster = hardware.cluster(name);
    if (cluster.interconnect.kind == InterconnectKind::torus) continue;  // its collectives have no laws
    const int local = cluster.devices_per_node;
    for (const int devices : {2, 3, local, 2 * local, 16 * local}) {
      if (devices < 2 || devices > local * std::min(cluster.max_nodes, 16)) continue;
      for (const double size : {4e3, 1e6, 400e6}) {
        for (const CollectiveKind kind : kinds) {
          Communications one(name, devices);
          const OpId op = one.collective(kind, Bytes(size));
          one.run();
          const CollectiveTime time = one.cost().collective(kind, Bytes(size), {devices, local});
          ASSERT_NEAR(one.end(op) / time.total().value(), 1, rounding)
              << name << ' ' << devices << ' ' << size;
        }
        Communications copy(name, devices), peers(name, devices);
        const OpId from_host = copy.host_copy(Bytes(size)), gathered = peers.peer_copies(Bytes(size), true);
        copy.run();
        peers.run();
        const double expected = host_copies_time(copy.cost(), Bytes(size), std::min(devices, local)).value();
        ASSERT_NEAR(copy.end(from_host) / expected, 1, rounding) << name;
        ASSERT_NEAR(peers.end(gathered) / peers.alone(gathered), 1, rounding) << name;
      }
    }
  }
}

// PCIe boxes: the input of the next step comes in over the slot that the all-reduce uses. The copy is the
// longer one and never leaves the slot idle, so it ends when the slot of rate s has brought the bytes of
// both: latency + (copy + all-reduce) / s. The all-reduce gets half of the slot: latency + 2 bytes / s.
TEST(LinkSharing, InputAndCollectivesShareTheSlotsOfPcieBoxes) {
  for (const char* cluster : {"8x-1080ti", "4x-v100-pcie", "8x-h100-pcie"}) {
    Communications both(cluster, 2);
    const OpId reduce = both.collective(CollectiveKind::all_reduce, Bytes(100e6));
    const OpId copy = both.host_copy(Bytes(1e9));
    both.run();
    const Communication &a = both.of(reduce), &c = both.of(copy);
    const BytesPerSecond slot = c.rate;
    ASSERT_GT(a.rate, slot / 2) << cluster;
    EXPECT_NEAR(both.end(reduce), (a.latency + 2 * a.wire_bytes / slot).value(), 1e-9) << cluster;
    EXPECT_NEAR(both.end(copy), (c.latency + (c.wire_bytes + a.wire_bytes) / slot).value(), 1e-9) << cluster;
  }
}

// Through host memory a collective is slow: 0.19 of the slot's data sheet, of which copies reach 0.76. It
// keeps its rate and the copy gets what is left.
TEST(LinkSharing, AHostStagedCollectiveLeavesMostOfTheSlot) {
  Communications both("4x-rtx-3090-25gbe", 4);
  const OpId reduce = both.collective(CollectiveKind::all_reduce, Bytes(100e6));
  const OpId copy = both.host_copy(Bytes(10e9));
  both.run();
  EXPECT_NEAR(both.end(reduce), both.alone(reduce), 1e-9);
  EXPECT_NEAR(both.end(copy), both.alone(copy) + (both.of(reduce).wire_bytes / both.of(copy).rate).value(),
              1e-9);
}

// Slots carry both directions at once: what comes in from the host takes nothing from what goes out to the
// others, but shares with what comes in from them.
TEST(LinkSharing, EachDirectionOfASlotIsSharedByItself) {
  for (const bool inwards : {false, true}) {
    Communications both("4x-v100-pcie", 4);
    const OpId copy = both.host_copy(Bytes(1e9)), peers = both.peer_copies(Bytes(1e9), inwards);
    both.run();
    const double longest = std::max(both.alone(copy), both.alone(peers));
    const double last = std::max(both.end(copy), both.end(peers));
    if (inwards) {
      EXPECT_GT(last, 1.9 * longest);
    } else {
      EXPECT_DOUBLE_EQ(last, longest);
    }
  }
}

// Two devices below a switch bring in their input over its one slot, in twice the time of the bytes; one
// alone has it for itself.
TEST(LinkSharing, DevicesBelowASwitchShareItsSlotToTheHost) {
  Communications one("p2.8xlarge", 1), two("p2.8xlarge", 2);
  const OpId copy = one.host_copy(Bytes(1e9)), copies = two.host_copy(Bytes(1e9));
  one.run();
  two.run();
  const Communication& each = two.of(copies);
  EXPECT_DOUBLE_EQ(one.end(copy), one.alone(copy));
  EXPECT_DOUBLE_EQ(two.end(copies), (each.latency + 2 * each.wire_bytes / each.rate).value());
}

// Without NICs below the switches (one of 10 Gb/s for eight V100, two below a switch) traffic to other nodes
// goes by way of the host: each device of a switch adds an eighth of a rank's bytes to the slot that both
// share. With them (DGX-1: four) it does not.
TEST(LinkSharing, TrafficToOtherNodesCrossesTheSwitchUnlessItsNicIsBelow) {
  for (const bool below : {false, true}) {
    Communications both(below ? "dgx-1v" : "8x-v100-nvlink-10gbe", 16);
    const OpId reduce = both.collective(CollectiveKind::all_reduce, Bytes(100e6));
    const OpId copy = both.host_copy(Bytes(10e9));
    both.run();
    const Communication &a = both.of(reduce), &c = both.of(copy);
    const Bytes crossing = c.wire_bytes + (below ? Bytes(0) : a.wire_bytes / 8);
    EXPECT_NEAR(both.end(copy), (c.latency + 2 * crossing / c.rate).value(), 1e-9) << below;
  }
}

// NVLink inside a node is apart from PCIe.
TEST(LinkSharing, InputTakesNothingFromNvlink) {
  for (const char* cluster : {"dgx-h100", "jean-zay-a100", "2x-rtx-3090-nvlink"}) {
    Communications both(cluster, 2);
    const OpId reduce = both.collective(CollectiveKind::all_reduce, Bytes(1e9));
    const OpId copy = both.host_copy(Bytes(1e9));
    both.run();
    EXPECT_DOUBLE_EQ(both.end(reduce), both.alone(reduce)) << cluster;
    EXPECT_DOUBLE_EQ(both.end(copy), both.alone(copy)) << cluster;
  }
}

// What a device sends to other nodes leaves over its slot: of the bytes of a rank each of the eight devices
// of a node an eighth. The copy never leaves the slot idle: latency + (copy + all-reduce / 8) / s.
TEST(LinkSharing, WhatGoesToOtherNodesCrossesTheSlots) {
  Communications both("dgx-h100", 16);
  const OpId reduce = both.collective(CollectiveKind::all_reduce, Bytes(100e6));
  const OpId copy = both.host_copy(Bytes(10e9));
  both.run();
  const Communication &a = both.of(reduce), &c = both.of(copy);
  EXPECT_NEAR(both.end(copy), (c.latency + (c.wire_bytes + a.wire_bytes / 8) / c.rate).value(), 1e-9);
}

// Two equal all-reduces at once: in a node they halve the device's link, between nodes the node's network, of
// which all their bytes take their time.
TEST(LinkSharing, CollectivesAtTheSameTimeShareLinksAndNetwork) {
  for (const int devices : {8, 16}) {
    Communications both("dgx-1v", devices);
    const OpId one = both.collective(CollectiveKind::all_reduce, Bytes(400e6));
    const OpId other = both.collective(CollectiveKind::all_reduce, Bytes(400e6));
    both.run();
    const Communication& each = both.of(one);
    const BytesPerSecond capacity = devices > 8 ? both.cost().network_rate() : both.cost().link_rate(8);
    const double expected = (each.latency + 2 * each.wire_bytes / capacity).value();
    EXPECT_NEAR(both.end(one), expected, 1e-9) << devices;
    EXPECT_NEAR(both.end(other), expected, 1e-9) << devices;
    EXPECT_GT(expected, 1.5 * both.alone(one)) << devices;
  }
}

}  // namespace
}  // namespace paceline
