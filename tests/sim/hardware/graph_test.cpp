// Paths through the hardware: their classes on known boxes, their rates, and that the network's graph lets
// through what fabric_share says.
#include "sim/hardware/graph.h"

#include <gtest/gtest.h>

#include <map>

#include "sim/hardware/fabric.h"
#include "sim/hardware/hardware_catalog.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

class Paths : public ::testing::Test {
 protected:
  [[nodiscard]] Topology topology(const std::string& name, int nodes = 1) const {
    const Cluster& cluster = catalog_.cluster(name);
    return {cluster, catalog_.device(cluster.device), nodes};
  }
  static Path between(const Topology& topology, std::size_t a, std::size_t b) {
    return topology.paths(a).at(b);
  }
  static std::string word(const Topology& topology, std::size_t a, std::size_t b) {
    return to_string(between(topology, a, b).path_class);
  }
  static double gigabytes(const Topology& topology, std::size_t a, std::size_t b) {
    return between(topology, a, b).bandwidth.value() / 1e9;
  }

  HardwareCatalog catalog_ = HardwareCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios");
};

// GPU 0 has NVLink to 1, 2, 3 and 4 (1, 1, 2, 2 links of 25 GB/s) and reaches 5, 6, 7 over one of them. NICs
// are below the switches of GPUs 0-1, 2-3, 4-5, 6-7.
TEST_F(Paths, OfACubeMesh) {
  const Topology box = topology("dgx-1v");
  const auto gpu = box.devices(0), nic = box.nics(0);
  EXPECT_EQ(word(box, gpu[0], gpu[0]), "LOC");
  EXPECT_EQ(word(box, gpu[0], gpu[1]), "NVL");
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[1]), 25);
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[4]), 50);
  for (const std::size_t far : {5U, 6U, 7U}) EXPECT_EQ(word(box, gpu[0], gpu[far]), "NVB");
  // 0 - 4 - 7 has two links a step, 0 - 3 - 7 only one from 3: the wider path counts.
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[7]), 50);
  EXPECT_EQ(word(box, gpu[0], nic[0]), "PIX");
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], nic[0]), 15.75);
  // GPU 2 is a neighbour of GPU 0 and beside NIC 1.
  EXPECT_EQ(word(box, gpu[0], nic[1]), "PXN");
  EXPECT_EQ(word(box, nic[0], nic[1]), "PHB");
  EXPECT_EQ(word(box, nic[0], nic[3]), "SYS");
}

// Any two GPUs over the switch at 12 x 25 = 300 GB/s.
TEST_F(Paths, OfASwitch) {
  const Topology box = topology("dgx-a100-80");
  const auto gpu = box.devices(0), nic = box.nics(0);
  for (std::size_t other = 1; other < 8; ++other) {
    EXPECT_EQ(word(box, gpu[0], gpu[other]), "NVL");
    EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[other]), 300);
  }
  EXPECT_EQ(between(box, gpu[0], gpu[7]).links.size(), 2U);
  EXPECT_EQ(word(box, gpu[0], nic[1]), "PIX") << "GPU 0 and 1 share a switch with NIC 0 and 1";
  EXPECT_EQ(word(box, gpu[0], nic[7]), "PXN");
}

// Two cards below each of two root complexes, a socket each; 21 GB/s between sockets of generation 4.
TEST_F(Paths, OfPcieCards) {
  const Topology box = topology("4x-a100-pcie");
  const auto gpu = box.devices(0);
  EXPECT_EQ(word(box, gpu[0], gpu[1]), "PHB");
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[1]), 31.5);
  EXPECT_EQ(word(box, gpu[0], gpu[2]), "SYS");
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[0], gpu[2]), 21);
  // One socket with two root complexes: NCCL sees one CPU.
  const Topology desktop = topology("4x-rtx-5090");
  EXPECT_EQ(word(desktop, desktop.devices(0)[0], desktop.devices(0)[3]), "PHB");
  EXPECT_DOUBLE_EQ(gigabytes(desktop, desktop.devices(0)[0], desktop.devices(0)[3]), 26.5);
}

TEST_F(Paths, OfBridgedPairs) {
  Cluster four = catalog_.cluster("2x-rtx-3090-nvlink");
  four.devices_per_node = 4;
  const Topology box(four, catalog_.device(four.device), 1);
  const auto gpu = box.devices(0);
  EXPECT_EQ(word(box, gpu[0], gpu[1]), "NVL");
  EXPECT_DOUBLE_EQ(gigabytes(box, gpu[2], gpu[3]), 56.25);
  EXPECT_EQ(word(box, gpu[0], gpu[2]), "PHB");
}

// A Grace Hopper node: all GPUs by NVLink, their NICs over the CPU's own link.
TEST_F(Paths, OverTheLinkBetweenCpuAndDevice) {
  Cluster node = catalog_.cluster("alps-gh200");
  node.host.c2c = gigabytes_per_second(450);
  const Topology box(node, catalog_.device(node.device), 1);
  EXPECT_EQ(word(box, box.devices(0)[0], box.devices(0)[3]), "NVL");
  EXPECT_EQ(word(box, box.devices(0)[0], box.nics(0)[0]), "P2C");
  Cluster alone = node;
  alone.interconnect.kind = InterconnectKind::pcie;
  alone.interconnect.devices_per_root = 2;
  alone.host.sockets = 2;
  const Topology pairs(alone, catalog_.device(node.device), 1);
  EXPECT_EQ(word(pairs, pairs.devices(0)[0], pairs.devices(0)[1]), "C2C");
}

// Farthest corner of a wrapped 4 x 4 x 4: two steps a dimension.
TEST_F(Paths, OfATorusHopFromDeviceToDevice) {
  Cluster pod = catalog_.cluster("cpu-node");
  pod.devices_per_node = 64;
  pod.interconnect.kind = InterconnectKind::torus;
  pod.interconnect.torus.assign(3, {4, true, gigabytes_per_second(45)});
  const Topology torus(pod, catalog_.device(pod.device), 1);
  const auto device = torus.devices(0);
  EXPECT_EQ(word(torus, device[0], device[3]), "NVL") << "wrapped";
  EXPECT_EQ(between(torus, device[0], device[2 + 4 * 2 + 16 * 2]).links.size(), 6U);
  EXPECT_EQ(word(torus, device[0], device[42]), "NVB");
}

TEST_F(Paths, BetweenNodesGoOverTheNetwork) {
  const Topology two = topology("dgx-h100", 2);
  const auto here = two.devices(0), there = two.devices(1);
  EXPECT_EQ(word(two, here[0], there[5]), "NET");
  EXPECT_DOUBLE_EQ(gigabytes(two, here[0], there[5]), 50);
  EXPECT_EQ(test::refusal([&] { return topology("4x-a100-pcie", 2); }),
            "nodes: found 2, expected 1 to 1; 4x-a100-pcie has no more nodes");
}

// Whatever the box, a path back is of the same class, rate and length, and no path beats the slower end's
// best link.
TEST_F(Paths, AreSymmetricOnEveryCluster) {
  for (const std::string& name : catalog_.cluster_names()) {
    SCOPED_TRACE(name);
    const Topology box = topology(name);
    std::vector<std::size_t> ends = box.devices(0);
    for (const std::size_t nic : box.nics(0)) ends.push_back(nic);
    ends.resize(std::min<std::size_t>(ends.size(), ends.size() > 1000 ? 4 : 24));  // pods are large
    std::map<std::size_t, std::vector<Path>> paths;
    for (const std::size_t end : ends) paths[end] = box.paths(end);
    for (const std::size_t a : ends) {
      for (const std::size_t b : ends) {
        EXPECT_EQ(paths[a][b].path_class, paths[b][a].path_class) << a << " " << b;
        EXPECT_EQ(paths[a][b].bandwidth, paths[b][a].bandwidth) << a << " " << b;
        EXPECT_EQ(paths[a][b].links.size(), paths[b][a].links.size()) << a << " " << b;
        EXPECT_NE(paths[a][b].path_class, PathClass::dis);
        EXPECT_EQ(paths[a][b].path_class == PathClass::loc, a == b);
      }
    }
  }
}

// Every flow routed over the graph, NIC to NIC, and its amount added up on each link and direction.
class Router {
 public:
  Router(const Cluster& cluster, const Topology& topology, int nodes) : topology_(topology) {
    for (int node = 0; node < nodes; ++node) nics_.push_back(topology.nics(node));
    rate_ = cluster.network->rate.value();
  }
  // Of what a NIC carries.
  void send(std::size_t from_node, std::size_t from_nic, std::size_t to_node, std::size_t to_nic,
            double amount) {
    std::size_t at = nics_[from_node][from_nic];
    std::vector<Path>& paths = paths_[at];
    if (paths.empty()) paths = topology_.paths(at);
    const Path& path = paths.at(nics_[to_node][to_nic]);
    for (const std::size_t link : path.links) {
      const bool forward = topology_.links()[link].a == at;
      loads_[{link, forward}] += amount;
      at = forward ? topology_.links()[link].b : topology_.links()[link].a;
    }
  }
  [[nodiscard]] double share() const {
    double share = 1;
    for (const auto& [link, load] : loads_)
      share = std::min(share, topology_.links()[link.first].rate.value() / rate_ / load);
    return share;
  }

 private:
  const Topology& topology_;
  double rate_;
  std::vector<std::vector<std::size_t>> nics_;
  std::map<std::size_t, std::vector<Path>> paths_;  // by source
  std::map<std::pair<std::size_t, bool>, double> loads_;
};

double routed_share(const Cluster& cluster, const Device& device, int nodes, Traffic traffic) {
  const Topology topology(cluster, device, nodes);
  Router router(cluster, topology, nodes);
  const auto n = static_cast<std::size_t>(nodes);
  const auto nics = static_cast<std::size_t>(cluster.network->nics);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t nic = 0; nic < nics; ++nic) {
      if (traffic == Traffic::ring) router.send(a, nic, (a + 1) % n, nic, 1);
      for (std::size_t b = 0; b < n && traffic != Traffic::ring; ++b) {
        if (a == b) continue;
        const double amount = 1.0 / static_cast<double>(n - 1);
        if (traffic == Traffic::rail_aligned) router.send(a, nic, b, nic, amount);
        for (std::size_t other = 0; other < nics && traffic == Traffic::all_to_all; ++other)
          router.send(a, nic, b, other, amount / static_cast<double>(nics));
      }
    }
  }
  return router.share();
}

TEST_F(Paths, CarryWhatTheClosedFormsSay) {
  const std::vector<FabricShape> shapes{
      SingleSwitch{}, LeafSpine{3, 2}, LeafSpine{2, 5}, RailOptimized{4, 3}, FatTree{2, 2, 1.5, 2},
      // one router a group, so that the graph's one shortest path is the minimal route
      Dragonfly{4, 1, 3, 3, gigabytes_per_second(50)}};
  for (std::size_t index = 0; index < shapes.size(); ++index) {
    Cluster cluster = catalog_.cluster("dgx-a100-80");
    cluster.network = Network{"infiniband", 2, gigabytes_per_second(25), shapes[index]};
    for (const Traffic traffic : {Traffic::ring, Traffic::all_to_all, Traffic::rail_aligned}) {
      for (const int nodes : {2, 5, 8, 11}) {
        EXPECT_NEAR(fabric_share(cluster, nodes, traffic),
                    routed_share(cluster, catalog_.device(cluster.device), nodes, traffic), 1e-9)
            << "shape " << index << ", traffic " << static_cast<int>(traffic) << ", nodes " << nodes;
      }
    }
  }
}

}  // namespace
}  // namespace paceline
