// What the active flows of a resource take of it for each byte per second of their rate: the sum over flows
// of weight * count.
//
// Flows of equal weight are counted before they are multiplied, and the products are added up in a tree whose
// shape is set by the weights of all flows, active or not. So the sum is the same to the last bit whether one
// flow stands for k or k are written out, and whichever came and went before; a change costs the logarithm of
// the number of different weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

class LoadSums {
 public:
  void reserve(std::size_t resources) { first_node_.reserve(resources + 1); }
  // One more resource, whose flows have that many different weights.
  void add_resource(std::uint32_t weights) {
    first_node_.push_back(first_node_.back() + 2 * (weights > 0 ? weights : 1));
  }
  // After the last resource was added.
  void seal() { nodes_.resize(first_node_.back()); }

  // `delta` more flows of the resource's weight number `place`, which is `weight`.
  void change(std::uint32_t resource, std::uint32_t place, double weight, double delta) {
    const std::uint32_t begin = first_node_[resource];
    const std::span<Node> tree = std::span(nodes_).subspan(begin, first_node_[resource + 1] - begin);
    std::size_t node = tree.size() / 2 + place;
    tree[node].count += delta;
    tree[node].sum = weight * tree[node].count;
    for (node /= 2; node > 0; node /= 2) tree[node].sum = tree[2 * node].sum + tree[2 * node + 1].sum;
  }
  // Exactly 0 without active flows.
  [[nodiscard]] double of(std::uint32_t resource) const { return nodes_[first_node_[resource] + 1].sum; }

 private:
  // The children of node i are 2 i and 2 i + 1, the root is 1; of 2 n nodes the last n are the leaves.
  struct Node {
    double sum = 0;
    double count = 0;  // of a leaf
  };
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_node_{0};  // by resource, one more than there are
};

}  // namespace paceline
