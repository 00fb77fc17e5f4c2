// What the libraries below a training framework keep on a device, read from scenarios/memory.
#pragma once

#include <map>
#include <string>

#include "base/quantity.h"
#include "sim/memory/megatron/run.h"

namespace paceline {

struct LibraryMemory {
  // Bytes from a compute capability (90 = 9.0) on.
  std::map<int, Bytes> engine_workspace, matrix_workspace;
  double grouped_products = 0;
  Bytes deterministic_workspace;
  double reserved_rate = 1;

  // Throws InputError when the file is wrong.
  static LibraryMemory load(const std::string& file);

  // For a device of a compute capability not below the first one known. `deterministic`: the framework's
  // deterministic mode, which sets PyTorch's workspace.
  [[nodiscard]] megatron::Libraries on(int compute_capability, bool transformer_engine,
                                       bool deterministic) const;
};

}  // namespace paceline
