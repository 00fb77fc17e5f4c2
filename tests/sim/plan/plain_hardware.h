// A device that moves exactly 1 GB/s and has no overheads: times of a plan can be written down by hand.
#pragma once

#include "tests/sim/support/step.h"

namespace paceline::test {

struct PlainHardware {
  Device device;
  Architecture architecture;
  KernelLibrary library;
  Framework framework;  // no host cost, no traffic of the optimizer, nothing per tensor

  PlainHardware() {
    device.name = "plain";
    device.memory_bandwidth = gigabytes_per_second(1);
    device.peak[0] = FlopsPerSecond(1e12);
    architecture.bandwidth_share = 1;
    architecture.efficiency[0] = KernelEfficiency{1, 1, 1};
    framework.gradients.bucket_cap = mebibytes(25);
    framework.gradients.first_bucket = mebibytes(1);
  }
  [[nodiscard]] KernelCost kernels() const { return {device, architecture, library, framework, {}, nullptr}; }
};

// A memory-bound layer whose forward and backward take so many milliseconds on plain hardware: 250,000
// elements of four bytes a millisecond.
inline Layer lasting(double forward_ms, double backward_ms, std::vector<std::size_t> parameters) {
  Layer layer;
  layer.name = "layer";
  layer.work = Traffic{"work", forward_ms * 250e3, backward_ms * 250e3, 1, 1};
  layer.parameters = std::move(parameters);
  return layer;
}

// A profile in which every all-reduce of two ranks takes so many milliseconds, whatever its size.
inline Profile all_reduces_of(double ms) {
  Profile profile;
  for (const double bytes : {1.0, 1e9}) {
    MeasuredCollective row;
    row.kind = "all_reduce";
    row.transport = "test";
    row.ranks = 2;
    row.bytes = Bytes(bytes);
    row.time.median = milliseconds(ms);
    profile.collectives.push_back(row);
  }
  return profile;
}

// Without compute slowed by communication and without links that limit it.
inline Program undisturbed(Program program) {
  for (Communication& communication : program.communications) {
    communication.compute_slowdown = 0;
    communication.uses.clear();
  }
  return program;
}

}  // namespace paceline::test
