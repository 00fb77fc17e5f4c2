#include "sim/hardware/topo_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"

namespace paceline {
namespace {

constexpr const char* order_remedy =
    "order the devices with CUDA_VISIBLE_DEVICES, or describe the cluster by hand";

int links_of(const LinkCounts& links, std::size_t device) {
  return std::accumulate(links[device].begin(), links[device].end(), 0);
}

bool all_pairs_equal(const LinkCounts& links) {
  for (std::size_t a = 0; a < links.size(); ++a)
    for (std::size_t b = 0; b < links.size(); ++b)
      if (a != b && links[a][b] != links[0][1]) return false;
  return true;
}

// GPU 2k joined to 2k+1 and to nothing else.
bool bridged_neighbours(const LinkCounts& links) {
  for (std::size_t a = 0; a < links.size(); ++a)
    if ((a ^ 1U) >= links.size() || links[a][a ^ 1U] == 0 || links_of(links, a) != links[a][a ^ 1U])
      return false;
  return true;
}

bool connected(const LinkCounts& links) {
  std::vector<std::size_t> todo{0};
  std::set<std::size_t> reached{0};
  while (!todo.empty()) {
    const std::size_t from = todo.back();
    todo.pop_back();
    for (std::size_t to = 0; to < links.size(); ++to)
      if (links[from][to] > 0 && reached.insert(to).second) todo.push_back(to);
  }
  return reached.size() == links.size();
}

class Builder {
 public:
  Builder(const TopoMatrix& matrix, const Device& device, const TopoQuestion& question)
      : matrix_(matrix), device_(device), question_(question), links_(matrix.nvlinks()) {}

  Cluster run() {
    cluster_.name = question_.name;
    cluster_.title = fmt::format("{}x {}", matrix_.gpus, device_.title);
    cluster_.source = "nvidia-smi topo -m of the machine";
    cluster_.device = device_.name;
    cluster_.devices_per_node = matrix_.gpus;
    read_host();
    read_interconnect();
    if (!question_.fabric.empty()) read_network();
    return cluster_;
  }

 private:
  [[noreturn]] void fail(const std::string& found, const std::string& expected,
                         const std::string& remedy) const {
    throw InputError(question_.file, found, expected, remedy);
  }

  // The size of the groups into which `same` puts the GPUs; 0 if they are not equal and in order.
  template <class Same>
  [[nodiscard]] int group_size(Same same) const {
    int size = 1;
    while (size < matrix_.gpus && same(0, size)) ++size;
    for (int a = 0; a < matrix_.gpus; ++a)
      for (int b = 0; b < a; ++b)
        if (same(a, b) != (a / size == b / size)) return 0;
    return matrix_.gpus % size == 0 ? size : 0;
  }

  // NVLink hides what PCIe lies between two GPUs; a NIC that both are near to, or their NUMA domain, tells.
  [[nodiscard]] bool near_each_other(int a, int b, TopoWord at_most) const {
    if (matrix_.between(a, b).word != TopoWord::nvlink) return matrix_.between(a, b).word <= at_most;
    const int all = matrix_.gpus + static_cast<int>(matrix_.nics.size());
    for (int nic = matrix_.gpus; nic < all; ++nic)
      if (matrix_.between(a, nic).word <= at_most && matrix_.between(b, nic).word <= at_most) return true;
    return false;
  }

  void read_host() {
    std::set<int> domains(matrix_.numa.begin(), matrix_.numa.end());
    domains.erase(-1);
    const int below_switch = group_size([&](int a, int b) { return near_each_other(a, b, TopoWord::pxb); });
    if (below_switch > 1) cluster_.host.devices_per_switch = below_switch;
    if (!domains.empty()) {
      cluster_.host.sockets = static_cast<int>(domains.size());
      return;
    }
    const int in_domain = group_size([&](int a, int b) { return near_each_other(a, b, TopoWord::node); });
    if (in_domain > 0 && links_of(links_, 0) == 0) cluster_.host.sockets = matrix_.gpus / in_domain;
  }

  void read_interconnect() {
    int most = 0;
    for (std::size_t device = 0; device < links_.size(); ++device)
      most = std::max(most, links_of(links_, device));
    if (most == 0) return read_pcie();
    if (!device_.nvlink) {
      fail(fmt::format("NVLink between devices of the kind {}", device_.name), "a device with NVLink",
           "name the right one with --device");
    }
    Interconnect& inter = cluster_.interconnect;
    const bool equal = all_pairs_equal(links_);
    if (equal && matrix_.gpus > 2 && links_[0][1] == device_.nvlink->links) {
      inter.kind = InterconnectKind::nvswitch;
      most = device_.nvlink->links;
    } else {
      if (most > device_.nvlink->links) {
        fail(fmt::format("{} NVLink links at a device", most),
             fmt::format("at most {}, as {} has", device_.nvlink->links, device_.name),
             "name the right device with --device");
      }
      read_mesh(equal);
    }
    inter.rate = device_.nvlink->rate * (inter.kind == InterconnectKind::nvlink_cube_mesh ? 1 : most);
  }

  void read_mesh(bool equal) {
    Interconnect& inter = cluster_.interconnect;
    // Two boards of a server, whose links are in the board, are no bridged cards.
    const bool board = device_.name.find("sxm") != std::string::npos;
    if (bridged_neighbours(links_) && (matrix_.gpus > 2 || !board)) {
      inter.kind = InterconnectKind::nvlink_bridge;
      return;
    }
    if (!connected(links_))
      fail("NVLink that joins some of the devices only", "all of them joined, or neighbours in pairs",
           order_remedy);
    inter.kind = InterconnectKind::nvlink_mesh;
    if (links_ == cube_mesh_links()) {
      inter.kind = InterconnectKind::nvlink_cube_mesh;
    } else if (matrix_.gpus > LinkMatrix::most_devices && !equal) {
      fail(fmt::format("an uneven mesh of {} devices", matrix_.gpus),
           fmt::format("at most {}", LinkMatrix::most_devices), "describe the cluster by hand");
    } else if (matrix_.gpus <= LinkMatrix::most_devices) {
      inter.links = LinkMatrix(links_);
    }
  }

  void read_pcie() {
    Interconnect& inter = cluster_.interconnect;
    inter.kind = InterconnectKind::pcie;
    inter.rate = pcie_rate(device_.pcie_generation, device_.pcie_lanes);
    inter.peer_to_peer = device_.pcie_peer_access;
    inter.devices_per_root =
        group_size([&](int a, int b) { return matrix_.between(a, b).word <= TopoWord::phb; });
    if (inter.devices_per_root == 0)
      fail("root complexes with different numbers of devices, or devices out of order",
           "equal groups of devices in order", order_remedy);
  }

  void read_network() {
    if (matrix_.nics.empty())
      fail("no NICs in the matrix", "the NICs of the network", "leave out --fabric for a single node");
    cluster_.network = Network{question_.fabric, static_cast<int>(matrix_.nics.size()), question_.nic_rate};
    cluster_.max_nodes = 1024;
  }

  const TopoMatrix& matrix_;
  const Device& device_;
  const TopoQuestion& question_;
  LinkCounts links_;
  Cluster cluster_;
};

}  // namespace

Cluster cluster_from_matrix(const TopoMatrix& matrix, const Device& device, const TopoQuestion& question) {
  return Builder(matrix, device, question).run();
}

}  // namespace paceline
