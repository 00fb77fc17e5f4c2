// The matrix that `nvidia-smi topo -m` prints: what lies between every two GPUs and NICs of a machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/hardware/ring_search.h"

namespace paceline {

// As nvidia-smi writes them, nearest first; `node`: between root complexes of one NUMA domain.
enum class TopoWord { self, nvlink, pix, pxb, phb, node, sys };

struct TopoCell {
  TopoWord word = TopoWord::self;
  int links = 0;  // nvlink only

  bool operator==(const TopoCell&) const = default;
};

struct TopoMatrix {
  int gpus = 0;
  std::vector<std::string> nics;             // "mlx5_0": from the legend, else as the column is called
  std::vector<std::vector<TopoCell>> cells;  // GPUs first, then NICs; symmetric
  std::vector<std::string> cpu_affinity;     // of each GPU, "" if not printed
  std::vector<int> numa;                     // of each GPU, -1 if not printed

  [[nodiscard]] const TopoCell& between(int a, int b) const {
    return cells[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
  [[nodiscard]] LinkCounts nvlinks() const;  // between GPUs
};

// Takes what is pasted from a terminal: escape sequences of underlining, tabs or spaces, text before the
// matrix, with or without NICs, affinities and legends. Throws InputError with the line of `file` for a
// matrix that is cut off, damaged or not symmetric.
[[nodiscard]] TopoMatrix read_topo_matrix(std::string_view text, const std::string& file);

}  // namespace paceline
