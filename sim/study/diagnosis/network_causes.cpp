// Faults between nodes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/diagnosis/causes.h"

namespace paceline::diagnosis {
namespace {

constexpr double near = 1.2;  // a prediction of large messages between nodes misses by less

std::size_t paths_of(const NcclDebug& debug, const std::string& name) {
  const auto found = debug.paths.find(name);
  return found == debug.paths.end() ? 0 : found->second;
}

std::string node_rate(double rate) { return fmt::format("{:.3g} GB/s a node", rate); }

void add_sockets(const Evidence& evidence, std::vector<Cause>& causes) {
  const DiagnosisRules& rules = *evidence.question->rules;
  if (evidence.question->cluster.network->fabric == "ethernet-tcp") return;
  const NcclDebug& debug = evidence.debug();
  std::string why;
  if (const std::string off = evidence.variable("NCCL_IB_DISABLE"); !off.empty() && off != "0")
    why = "NCCL_IB_DISABLE=" + off;
  else if (evidence.variable("NCCL_NET") == "Socket")
    why = "NCCL_NET=Socket";
  else if (debug.network == "Socket")
    why = "NCCL says \"Using network Socket\"";
  else if (const std::size_t count = paths_of(debug, "NET/Socket"))
    why = fmt::format("{} channels go via NET/Socket", count);
  const bool rate = evidence.node_rate >= rules.sockets_low.value() / 1e9 &&
                    evidence.node_rate <= rules.sockets_high.value() / 1e9 &&
                    evidence.node_rate < 0.4 * evidence.expected_node_rate;
  if (why.empty() && !rate) return;
  const double weight = why.empty() ? 40 : 150;
  if (why.empty())
    why = fmt::format("the rate is one of plain sockets ({:.0f} to {:.0f} GB/s a node)",
                      rules.sockets_low.value() / 1e9, rules.sockets_high.value() / 1e9);
  causes.push_back({"TCP sockets in place of RDMA", why, node_rate(evidence.node_rate),
                    node_rate(evidence.expected_node_rate),
                    "unset NCCL_IB_DISABLE NCCL_NET; NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET, and look "
                    "for NET/IB or NET/OFI "
                    "(the plug-in's library must be found); ibv_devinfo",
                    weight});
}

// The number of NICs with which the machine would take the time that was measured.
void add_nics(const Evidence& evidence, std::vector<Cause>& causes) {
  const Cluster& cluster = evidence.question->cluster;
  const int nics = group_nics(cluster, evidence.question->group.per_node);
  const double one = evidence.terms.network / 1e9 / nics;
  const auto whole = [&](double rate) {
    return std::clamp(std::round(rate / one), 1.0, std::max(1.0, nics - 1.0));
  };
  const auto near_whole = [&](double rate) { return nearness(rate / one / whole(rate), near); };
  const double rate = near_whole(evidence.ring_rate) > near_whole(evidence.node_rate) ? evidence.ring_rate
                                                                                      : evidence.node_rate;
  const double count = whole(rate);
  const std::string chosen = evidence.variable("NCCL_IB_HCA");
  const bool listed = !evidence.debug().nics.empty() &&
                      static_cast<int>(evidence.debug().nics.size()) < cluster.network->nics &&
                      evidence.debug().provider.empty();
  const double close = nics > 1 ? near_whole(rate) : 0;
  if (nics < 2 || (close <= 0 && !listed && chosen.empty())) return;
  std::string why = fmt::format("the rate is that of {:.0f} of {} NICs", count, nics);
  if (listed) why += fmt::format("; NCCL lists {}", evidence.debug().nics.size());
  if (!chosen.empty()) why += "; NCCL_IB_HCA=" + chosen;
  const double nic = cluster.network->rate.value() / 1e9;
  causes.push_back(
      {"NICs that are not used, or the wrong ones", why,
       fmt::format("{:.3g} GB/s a NIC over all {}", rate / nics, nics),
       fmt::format("{:.3g} GB/s a NIC of {:.3g} on the wire", one, nic),
       "unset NCCL_IB_HCA (or name every GPU's NIC); nvidia-smi topo -m; ibstat; ib_write_bw --use_cuda on "
       "each NIC",
       (listed || !chosen.empty() ? 110 : 0) + 35 * close});
}

void add_gpudirect(const Evidence& evidence, std::vector<Cause>& causes) {
  const NcclDebug& debug = evidence.debug();
  std::string why;
  if (debug.gpu_direct == false) why = "NCCL says GPU Direct RDMA Disabled";
  const std::size_t network =
      paths_of(debug, "NET/IB") + paths_of(debug, "NET/OFI") + paths_of(debug, "NET/AWS Libfabric");
  if (why.empty() && network > 0 && debug.network_direct == 0) why = "no channel of the network says GDRDMA";
  if (const std::string level = evidence.variable("NCCL_NET_GDR_LEVEL"); level == "LOC" || level == "0")
    why = "NCCL_NET_GDR_LEVEL=" + level;
  const double staged = evidence.question->rules->no_gpudirect_share * evidence.terms.wire / 1e9;
  const bool ring = nearness(evidence.ring_rate / staged, 1.4) > nearness(evidence.node_rate / staged, 1.4);
  const double rate = ring ? evidence.ring_rate : evidence.node_rate;
  const double share = rate * 1e9 / evidence.terms.wire, close = nearness(rate / staged, 1.4);
  if (why.empty() && close <= 0) return;
  const double weight = (why.empty() ? 0 : 105) + 38 * close;
  if (why.empty())
    why = fmt::format("{:.2f} of the wire, as nodes without GPUDirect RDMA reach ({:.2f})", share,
                      evidence.question->rules->no_gpudirect_share);
  causes.push_back({"no GPUDirect RDMA: data goes through host memory", why, node_rate(rate),
                    node_rate(evidence.terms.network / 1e9),
                    "lsmod | grep -e nvidia_peermem -e nv_peer_mem; NCCL_DEBUG=INFO, and look for GDRDMA; "
                    "for EFA: FI_PROVIDER=efa "
                    "FI_EFA_USE_DEVICE_RDMA=1; disable ACS of the PCIe switches",
                    weight});
}

}  // namespace

void add_network_causes(const Evidence& evidence, std::vector<Cause>& causes) {
  if (!evidence.several_nodes() || !(evidence.expected_node_rate > 0)) return;
  add_sockets(evidence, causes);
  add_nics(evidence, causes);
  add_gpudirect(evidence, causes);
}

}  // namespace paceline::diagnosis
