// NCCL's own cost model, by version: which algorithm and protocol it takes for a message. Its times are not
// predictions; they only decide (src/graph/tuning.cc of NCCL 2.16 to 2.30).
#pragma once

#include <vector>

#include "sim/collective/nccl_graph.h"

namespace paceline {

// An entry of the model: time = latency + bytes / bandwidth, where bandwidth is that of the algorithm.
struct NcclEntry {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  double latency = 0;             // microseconds
  double bandwidth = 0;           // GB/s
  bool corrected = false;         // by the table of trees
  double ring_simple_factor = 1;  // on the latency, once every channel has work
};

class NcclTuner {
 public:
  // Settings restrict the entries. A library without a version is taken as 2.27.
  NcclTuner(const NcclMachine& machine, CollectiveKind kind, const CollectiveSettings& settings);

  // Those that the hardware, the collective, the data type and the settings leave. Empty for all-to-all and
  // send/receive, which are not tuned.
  [[nodiscard]] const std::vector<NcclEntry>& entries() const { return entries_; }
  // Microseconds, `bytes` the whole vector.
  [[nodiscard]] double time(const NcclEntry& entry, double bytes) const;
  // The entry of the smallest time, the first of equals; null when there is none.
  [[nodiscard]] const NcclEntry* choose(double bytes) const;

  [[nodiscard]] int channels() const { return channels_; }  // of rings and trees, at most
  // Channels that a message of this size gets: blocks, and so multiprocessors.
  [[nodiscard]] int used_channels(Algorithm algorithm, Protocol protocol, double bytes) const;

 private:
  void add(Algorithm algorithm, Protocol protocol, const CollectiveSettings& settings);
  [[nodiscard]] double bandwidth(Algorithm algorithm, Protocol protocol) const;
  [[nodiscard]] double latency(Algorithm algorithm, Protocol protocol) const;
  [[nodiscard]] double ring_bandwidth(Protocol protocol) const;
  [[nodiscard]] double tree_bandwidth(Protocol protocol) const;
  [[nodiscard]] double nvls_bandwidth(bool tree) const;
  [[nodiscard]] double collnet_bandwidth() const;
  [[nodiscard]] double ring_latency(Protocol protocol) const;
  [[nodiscard]] bool is_possible(Algorithm algorithm, Protocol protocol,
                                 const CollectiveSettings& settings) const;

  NcclMachine machine_;
  CollectiveKind kind_;
  int version_ = 22707;
  bool ll128_ = true;
  NcclGraph ring_, tree_;
  std::optional<NcclGraph> nvls_;
  int channels_ = 1, nvls_channels_ = 1;
  std::vector<NcclEntry> entries_;
};

}  // namespace paceline
