// Device: one accelerator (or CPU socket) as its data sheet describes it, and the kernel constants of its
// architecture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"

namespace paceline {

// What the arithmetic units work in. fp16 and bf16 mean mixed precision in a training step: 32-bit weights
// and gradients, 16-bit matrix products and activations.
enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16 };
constexpr std::size_t precision_count = 4;
[[nodiscard]] std::string to_string(Precision precision);
[[nodiscard]] const std::vector<std::string>& precision_names();
[[nodiscard]] constexpr bool is_mixed(Precision precision) {
  return precision == Precision::fp16 || precision == Precision::bf16;
}
// Bytes of an activation element.
[[nodiscard]] constexpr double element_bytes(Precision precision) { return is_mixed(precision) ? 2 : 4; }

// How the kernels of one architecture and library generation use their peaks, by kind of kernel.
struct KernelEfficiency {
  double winograd = 0, dense = 0, gemm = 0;  // share of the peak
};
struct Architecture {
  std::string name, title, source;
  double bandwidth_share = 0;  // of the data sheet's memory bandwidth that streaming kernels reach
  std::array<std::optional<KernelEfficiency>, precision_count> efficiency;  // fp16's serves bf16
  std::string nvlink;         // name of its LinkConstants for NVLink, "" when it has none
  std::string pcie = "pcie";  // ... and for its slot
  double host_speed =
      1;  // single-thread speed of the CPUs beside it, which dispatch its work; servers of 2017 = 1
  double uncertainty =
      0.15;  // nine of ten published steps were missed by less, as |ln(predicted / measured)|
};

struct NvLink {
  int links = 0;
  BytesPerSecond rate;  // of one link, one direction
};

struct Device {
  std::string name, title, vendor, architecture;
  std::vector<std::string> aliases;
  std::optional<int> multiprocessors;
  int compute_capability = 0;  // 90 = 9.0; 0: none, not NVIDIA's
  Bytes memory;
  BytesPerSecond memory_bandwidth;
  std::array<std::optional<FlopsPerSecond>, precision_count> peak;
  double clock_factor = 1;  // sustained clock on compute against the architecture's, for power-limited boards
  // What compute-bound kernels keep of their burst rate over a training step, where it differs from the
  // devices whose kernel rates this one takes.
  std::optional<double> sustained_clock;
  int pcie_generation = 3;
  int pcie_lanes = 16;
  bool pcie_peer_access = true;  // the driver lets devices reach each other's memory over PCIe
  std::optional<NvLink> nvlink;
  std::vector<std::string> sources;  // "memory: ..."
};

// One direction of a slot: 15.75, 31.5, 63, 121 GB/s for sixteen lanes of generation 3 to 6.
[[nodiscard]] BytesPerSecond pcie_rate(int generation, int lanes);

}  // namespace paceline
