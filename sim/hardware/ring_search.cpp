#include "sim/hardware/ring_search.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace paceline {
namespace {

using Cycle = std::vector<std::size_t>;
constexpr int most_steps = 100'000;        // of one search
constexpr int most_greedy_steps = 20'000;  // each looks at all devices
constexpr std::size_t exact_devices = 8;   // 7! = 5040 cycles to choose from

// The complete digraph on n vertices falls into n-1 directed Hamiltonian cycles, except for n = 4 and 6,
// where one fewer fits (T. W. Tillson, J. Combin. Theory B 29, 1980); two of it always do, one undirected
// cycle of the doubled graph run both ways.
int uniform_rings(int devices, int links) {
  if (devices == 2) return links;
  const bool exception = (devices == 4 || devices == 6) && links % 2 == 1;
  return links * (devices - 1) - (exception ? 1 : 0);
}

std::optional<int> uniform_links(const LinkCounts& links, std::size_t n) {
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (a != b && links[a][b] != links[0][1]) return std::nullopt;
  return links[0][1];
}

// One group of devices whose links are used up ring by ring.
class RingSearch {
 public:
  RingSearch(const LinkCounts& links, std::size_t n, bool hops) : links_(links), n_(n), hops_(hops) {
    bound_ = most_steps;
    for (std::size_t a = 0; a < n_; ++a) {
      int out = 0;
      for (std::size_t b = 0; b < n_; ++b) out += links_[a][b];
      bound_ = std::min(bound_, out);
    }
  }

  int run() {
    if (bound_ == 0) return 0;
    if (n_ > exact_devices) return greedy();
    Cycle path{0};
    collect(path);
    const int packed = pack(0, 0);
    return packed < bound_ ? std::max(packed, greedy()) : packed;
  }

 private:
  // A device over which a step from a to b can hop; n_ if there is none. A direct link is always taken first.
  [[nodiscard]] std::size_t over(std::size_t a, std::size_t b) const {
    for (std::size_t via = 0; via < n_; ++via)
      if (via != a && via != b && links_[a][via] > 0 && links_[via][b] > 0) return via;
    return n_;
  }
  [[nodiscard]] bool reaches(std::size_t a, std::size_t b) const {
    return links_[a][b] > 0 || (hops_ && over(a, b) < n_);
  }

  void collect(Cycle& path) {
    if (path.size() == n_) {
      if (reaches(path.back(), 0)) cycles_.push_back(path);
      return;
    }
    for (std::size_t next = 1; next < n_; ++next) {
      if (!reaches(path.back(), next) || std::find(path.begin(), path.end(), next) != path.end()) continue;
      path.push_back(next);
      collect(path);
      path.pop_back();
    }
  }

  // Uses the links of a cycle; false, with nothing used, if one is not left.
  bool take(const Cycle& cycle, Cycle& used) {
    for (std::size_t hop = 0; hop < cycle.size(); ++hop) {
      const std::size_t a = cycle[hop], b = cycle[(hop + 1) % cycle.size()];
      if (!reaches(a, b)) {
        give_back(used);
        return false;
      }
      const std::size_t via = links_[a][b] > 0 ? b : over(a, b);
      use(a, via, used);
      if (via != b) use(via, b, used);
    }
    return true;
  }
  void use(std::size_t a, std::size_t b, Cycle& used) {
    --links_[a][b];
    used.push_back(a * n_ + b);
  }
  void give_back(Cycle& used) {
    for (const std::size_t link : used) ++links_[link / n_][link % n_];
    used.clear();
  }

  // Depth-first packing; a cycle may be taken again, as a pair may have several links.
  int pack(std::size_t from, int found) {
    int best = found;
    for (std::size_t index = from; index < cycles_.size() && best < bound_; ++index) {
      if (++packing_steps_ > most_steps) break;
      Cycle used;
      if (take(cycles_[index], used)) best = std::max(best, pack(index, found + 1));
      give_back(used);
    }
    return best;
  }

  int greedy() {
    int found = 0;
    for (steps_ = 0; found < bound_ && steps_ <= most_greedy_steps; ++found) {
      Cycle path{0}, used;
      if (!extend(path) || !take(path, used)) break;
    }
    return found;
  }
  // Neighbours with the most links left come first, so that no pair runs dry early.
  bool extend(Cycle& path) {
    if (++steps_ > most_greedy_steps) return false;
    if (path.size() == n_) return reaches(path.back(), 0);
    Cycle next;
    for (std::size_t device = 1; device < n_; ++device)
      if (reaches(path.back(), device) && std::find(path.begin(), path.end(), device) == path.end())
        next.push_back(device);
    const auto& row = links_[path.back()];
    std::stable_sort(next.begin(), next.end(), [&](auto a, auto b) { return row[a] > row[b]; });
    for (const std::size_t device : next) {
      path.push_back(device);
      if (extend(path)) return true;
      path.pop_back();
    }
    return false;
  }

  LinkCounts links_;
  std::size_t n_;
  bool hops_;
  int bound_ = 0, steps_ = 0, packing_steps_ = 0;
  std::vector<Cycle> cycles_;
};

}  // namespace

LinkCounts cube_mesh_links() {
  struct Pair {
    std::size_t a, b;
    int links;
  };
  // As `nvidia-smi topo -m` of such a machine shows them.
  constexpr std::array<Pair, 16> pairs{{{0, 1, 1},
                                        {0, 2, 1},
                                        {0, 3, 2},
                                        {0, 4, 2},
                                        {1, 2, 2},
                                        {1, 3, 1},
                                        {1, 5, 2},
                                        {2, 3, 2},
                                        {2, 6, 1},
                                        {3, 7, 1},
                                        {4, 5, 1},
                                        {4, 6, 1},
                                        {4, 7, 2},
                                        {5, 6, 2},
                                        {5, 7, 1},
                                        {6, 7, 2}}};
  LinkCounts counts(8, std::vector<int>(8, 0));
  for (const Pair& pair : pairs) counts[pair.a][pair.b] = counts[pair.b][pair.a] = pair.links;
  return counts;
}

RingCount count_rings(const LinkCounts& links, int devices) {
  const auto n = static_cast<std::size_t>(devices);
  if (const auto each = uniform_links(links, n))
    return {*each == 0 ? 0 : uniform_rings(devices, *each), false};
  const int direct = RingSearch(links, n, false).run();
  if (direct > 0) return {direct, false};
  const int hopping = RingSearch(links, n, true).run();
  return {hopping, hopping > 0};
}

}  // namespace paceline
