// Faults inside a node.
#include <fmt/format.h>

#include <algorithm>

#include "sim/study/diagnosis/causes.h"

namespace paceline::diagnosis {
namespace {

std::string link_rate(double rate) { return fmt::format("{:.3g} GB/s a GPU", rate); }

std::size_t paths_of(const NcclDebug& debug, const std::string& name) {
  const auto found = debug.paths.find(name);
  return found == debug.paths.end() ? 0 : found->second;
}

// A variable that keeps GPUs from reaching each other.
std::string peer_access_off(const Evidence& evidence) {
  const std::string off = evidence.variable("NCCL_P2P_DISABLE"), level = evidence.variable("NCCL_P2P_LEVEL");
  if (!off.empty() && off != "0") return "NCCL_P2P_DISABLE=" + off;
  if (level == "LOC" || level == "0") return "NCCL_P2P_LEVEL=" + level;
  const NcclDebug& debug = evidence.debug();
  if (paths_of(debug, "SHM") > 0 && paths_of(debug, "P2P") == 0)
    return fmt::format("{} channels go via SHM and none via P2P", paths_of(debug, "SHM"));
  return "";
}

void add_peer_access(const Evidence& evidence, std::vector<Cause>& causes) {
  if (evidence.question->group.per_node < 2 || evidence.terms.host_staged) return;
  Question without = *evidence.question;
  without.settings.peer_to_peer = false;
  std::string why = peer_access_off(evidence);
  // How fast staging is depends on the host: known to a factor two. NVLink that is no faster than a slot is
  // none.
  const Device& device = evidence.question->catalog->device(evidence.question->cluster.device);
  const double slot = pcie_rate(device.pcie_generation, device.pcie_lanes).value() / 1e9;
  const bool nvlink = evidence.question->cluster.interconnect.kind != InterconnectKind::pcie;
  const double close = evidence.several_nodes() ? 0 : nearness(evidence.ratio_to(without), nvlink ? 4 : 2);
  const bool below_slot = !evidence.several_nodes() && nvlink && evidence.link_rate < slot;
  if (why.empty() && close <= 0 && !below_slot) return;
  const double weight = why.empty() ? (below_slot ? 60 : 40 * close) : 140;
  if (why.empty())
    why = below_slot
              ? fmt::format("less than a PCIe slot's {:.3g} GB/s, so NVLink is hardly in use", slot)
              : fmt::format("{:.2f} x the time predicted without peer access", evidence.ratio_to(without));
  causes.push_back({"GPUs do not reach each other's memory: copies through host memory", why,
                    link_rate(evidence.link_rate), link_rate(evidence.expected_link_rate),
                    "unset NCCL_P2P_DISABLE NCCL_P2P_LEVEL NCCL_SHM_DISABLE; nvidia-smi topo -m and -p2p r; "
                    "NCCL_DEBUG=INFO, and look for "
                    "\"via P2P\"; with virtual machines, ACS and the IOMMU",
                    weight});
}

// Slots that run at half or a quarter.
void add_slots(const Evidence& evidence, std::vector<Cause>& causes) {
  if (evidence.several_nodes() || evidence.question->cluster.interconnect.kind != InterconnectKind::pcie)
    return;
  const double ratio = evidence.result->median_ratio;
  for (const double part : {2.0, 4.0, 8.0}) {
    const double close = nearness(ratio / part, 1.25);
    if (close <= 0) continue;
    const Device& device = evidence.question->catalog->device(evidence.question->cluster.device);
    causes.push_back({"PCIe of an older generation, or with fewer lanes",
                      fmt::format("1/{:.0f} of the expected rate", part), link_rate(evidence.link_rate),
                      link_rate(evidence.expected_link_rate),
                      fmt::format("nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.width.current "
                                  "--format=csv under load (expected "
                                  "{}, {}); lspci -vv, LnkSta",
                                  device.pcie_generation, device.pcie_lanes),
                      30 + 15 * close});
  }
}

void add_nvls(const Evidence& evidence, std::vector<Cause>& causes) {
  if (evidence.at.algorithm != Algorithm::nvls && evidence.at.algorithm != Algorithm::nvls_tree) return;
  Question without = *evidence.question;
  without.settings.nvls = false;
  std::string why;
  if (evidence.variable("NCCL_NVLS_ENABLE") == "0") why = "NCCL_NVLS_ENABLE=0";
  if (evidence.debug().multicast == false) why = "NCCL says NVLS multicast support is not available";
  const double ratio = evidence.ratio_to(without), close = nearness(ratio, 1.12);
  if (why.empty() && close <= 0) return;
  const double weight = (why.empty() ? 0 : 100) + 58 * close;
  if (why.empty()) why = fmt::format("{:.2f} x the time predicted without it", ratio);
  causes.push_back({"no NVLS: the switches do not reduce, a ring does", why,
                    fmt::format("{:.4g} GB/s busbw", evidence.large.back()->busbw.value() / 1e9),
                    fmt::format("{:.4g} GB/s busbw", evidence.large.back()->expected_busbw.value() / 1e9),
                    "unset NCCL_NVLS_ENABLE NCCL_ALGO; NCCL_DEBUG=INFO, and look for \"NVLS multicast "
                    "support\"; the fabric manager must run "
                    "(nvidia-smi -q | grep -A2 Fabric); 8-bit types do not use it",
                    weight});
}

}  // namespace

void add_node_causes(const Evidence& evidence, std::vector<Cause>& causes) {
  add_peer_access(evidence, causes);
  add_slots(evidence, causes);
  add_nvls(evidence, causes);
}

}  // namespace paceline::diagnosis
