// What is asked of a communication library, and with which settings: collective, group, data type, library
// version, how it is launched, and what its environment variables force.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace paceline {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,
  send_receive
};
[[nodiscard]] std::string_view to_string(CollectiveKind kind);  // "all_reduce", "sendrecv", ... as nccl-tests
// nccl-tests' names and their usual spellings ("all_to_all", "alltoall", "sendrecv"); nothing when unknown.
// alltoallv is an all-to-all whose size is that of the rank which sends or receives most, as nccl-tests
// counts.
[[nodiscard]] std::optional<CollectiveKind> collective_kind(std::string_view name);
[[nodiscard]] const std::vector<std::string>& collective_names();

// The vector is made of the ranks' parts, so that its size is a multiple of their number: all-gather,
// reduce-scatter, all-to-all.
[[nodiscard]] bool is_of_parts(CollectiveKind kind);

// nccl-tests' factor from algorithm to bus bandwidth: 2(n-1)/n, (n-1)/n or 1.
[[nodiscard]] double bus_factor(CollectiveKind kind, int ranks);

// In NCCL's order, which also breaks ties. The last ones are not NCCL's: Gloo's halving-doubling, and the
// schedule of send and receive calls behind an all-to-all.
enum class Algorithm : std::uint8_t {
  tree,
  ring,
  collnet_direct,
  collnet_chain,
  nvls,
  nvls_tree,
  pat,
  halving_doubling,
  point_to_point
};
enum class Protocol : std::uint8_t { ll, ll128, simple };
[[nodiscard]] std::string_view to_string(Algorithm algorithm);  // "ring", "tree", "NVLS", "NVLSTree", ...
[[nodiscard]] std::string_view to_string(Protocol protocol);    // "LL", "LL128", "Simple"

enum class DataType : std::uint8_t { int8, uint8, fp8, fp16, bf16, int32, uint32, fp32, int64, uint64, fp64 };
[[nodiscard]] std::string_view to_string(DataType type);
// nccl-tests' names ("float", "half", "bfloat16", "fp8_e4m3", ...) and ours; nothing when unknown.
[[nodiscard]] std::optional<DataType> data_type(std::string_view name);
[[nodiscard]] Bytes size_of(DataType type);

enum class LibraryName : std::uint8_t { nccl, rccl, oneccl, gloo, mpi };
struct Library {
  LibraryName name = LibraryName::nccl;
  // major * 10000 + minor * 100 + patch (2.27.7 = 22707); absent: not known.
  std::optional<int> version;
};
// "NCCL 2.27.7", "nccl 2.18", "RCCL", "Gloo tcp". Nothing when it names none of them.
[[nodiscard]] std::optional<Library> parse_library(std::string_view text);
[[nodiscard]] std::string to_string(const Library& library);

// Who launches the kernels of a call: a process or thread for every device; one process for all devices of a
// node; a framework's Python call; a CUDA graph.
enum class LaunchStyle : std::uint8_t { process_per_device, one_process, framework, graph };
[[nodiscard]] std::string_view to_string(LaunchStyle style);
[[nodiscard]] std::optional<LaunchStyle> launch_style(std::string_view name);
[[nodiscard]] const std::vector<std::string>& launch_style_names();

struct CollectiveSettings {
  Library library;
  DataType type = DataType::fp32;
  LaunchStyle style = LaunchStyle::process_per_device;
  // What NCCL_ALGO and NCCL_PROTO leave; empty: all.
  std::vector<Algorithm> algorithms;
  std::vector<Protocol> protocols;
  std::optional<int> min_channels, max_channels;  // NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS (or _CTAS)
  bool nvls = true;                               // NCCL_NVLS_ENABLE
  bool collnet = false;                           // NCCL_COLLNET_ENABLE, with the switches' reduction
  bool peer_to_peer = true;                       // NCCL_P2P_DISABLE turns it off
  bool rdma = true;                               // NCCL_IB_DISABLE turns it off: sockets

  [[nodiscard]] bool allows(Algorithm algorithm) const;
  [[nodiscard]] bool allows(Protocol protocol) const;
};

// Sets what the environment variable says, with NCCL's syntax: "Ring,Tree", "^LL128", and from 2.24 on
// "allreduce:ring;allgather:^pat" of which the part for `kind` counts. Returns whether the variable is one of
// those that are modelled. Throws InputError for a value that the variable does not take.
bool set_environment(CollectiveSettings& settings, CollectiveKind kind, std::string_view name,
                     std::string_view value);

// The ranks of a collective: `ranks` in all, `per_node` on each node (an NVLink domain, where that is larger
// than a host).
struct CollectiveGroup {
  int ranks = 1;
  int per_node = 1;
  [[nodiscard]] int nodes() const { return (ranks + per_node - 1) / per_node; }
};

}  // namespace paceline
