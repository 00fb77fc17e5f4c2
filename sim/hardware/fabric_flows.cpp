#include "sim/hardware/fabric_flows.h"

#include <algorithm>

namespace paceline {
namespace {

// Parent in NCCL's binary tree over ranks 0 ... n-1, whose leaves are the odd ranks; -1 for rank 0.
int tree_parent(int rank, int n) {
  if (rank == 0) return -1;
  const int bit = rank & -rank;
  const int up = (rank ^ bit) | (bit << 1);
  return up < n ? up : rank ^ bit;
}

// The second tree mirrors the first, or is shifted by one when n is odd, so that leaves of one are inner
// ranks of the other; each carries half of the data.
std::vector<Flow> tree_edges(int n) {
  std::vector<Flow> flows;
  for (int rank = 0; rank < n; ++rank) {
    const int seen = n % 2 == 0 ? n - 1 - rank : (rank + n - 1) % n;
    const int parent = tree_parent(rank, n), other = tree_parent(seen, n);
    if (parent >= 0) flows.push_back({rank, parent, 0.5});
    if (other >= 0) flows.push_back({rank, n % 2 == 0 ? n - 1 - other : (other + 1) % n, 0.5});
  }
  const std::size_t up = flows.size();
  for (std::size_t index = 0; index < up; ++index)
    flows.push_back({flows[index].to, flows[index].from, flows[index].amount});
  return flows;
}

}  // namespace

std::vector<Flow> sparse_flows(const std::vector<int>& nodes, Traffic traffic) {
  const int n = static_cast<int>(nodes.size());
  if (n < 2) return {};
  std::vector<Flow> flows;
  if (traffic == Traffic::tree) flows = tree_edges(n);
  if (traffic == Traffic::ring)
    for (int rank = 0; rank < n; ++rank) flows.push_back({rank, (rank + 1) % n, 1});
  std::vector<double> out(nodes.size(), 0), in(nodes.size(), 0);
  for (const Flow& flow : flows) {
    out[static_cast<std::size_t>(flow.from)] += flow.amount;
    in[static_cast<std::size_t>(flow.to)] += flow.amount;
  }
  const double busiest =
      std::max(*std::max_element(out.begin(), out.end()), *std::max_element(in.begin(), in.end()));
  for (Flow& flow : flows) {
    flow = {nodes[static_cast<std::size_t>(flow.from)], nodes[static_cast<std::size_t>(flow.to)],
            flow.amount / busiest};
  }
  return flows;
}

}  // namespace paceline
