// Time of the kernels behind a layer's forward and backward on one device: measured where a Profile has the
// shape, modelled by mechanism where it has not.
//
//   matrix products:  t = cbrt((F / (eta peak clock))^3 + (bytes / (b BW))^3) + overhead
//   memory-bound:     t = bytes / (b BW) + overhead
// On a device whose kernels were measured in the precision, matrix products go by mechanism instead
// (kernel/gemm_time.h): operands from memory, at the sustained clock.
// F: gemm_work.h; eta and b: the architecture; bytes: operands, times the framework's traffic factor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/profile.h"
#include "base/provenance.h"
#include "base/quantity.h"
#include "sim/cost/kernel/gemm_time.h"
#include "sim/cost/kernel/kernel_rates.h"
#include "sim/cost/kernel/measured_ratios.h"
#include "sim/cost/kernel_library.h"
#include "sim/hardware/device.h"
#include "sim/model/model.h"
#include "sim/strategy/framework.h"

namespace paceline {

struct Kernel {
  std::string name;
  Seconds time;
  Flops work;  // arithmetic of the algorithm, for MFU and bounds; not the quantised work
  Bytes traffic;
  Provenance provenance = Provenance::modelled;
};

// What a layer does in one direction: its kernels in launch order, and the operators that the host
// dispatches.
struct LayerCost {
  std::vector<Kernel> kernels;
  int operators = 1;
};
[[nodiscard]] Seconds total_time(const LayerCost& cost);

// The data sheet's; bf16 runs on the units of fp16. Throws InputError when the device has none.
[[nodiscard]] FlopsPerSecond peak_of(const Device& device, Precision precision);

struct KernelSettings {
  Precision precision = Precision::fp32;
  bool channels_last = false;
  ModelFamily family = ModelFamily::convolutional;
};

class KernelCost {
 public:
  // `profile` and `rates` may be null. Throws InputError when the device has no peak for the precision or its
  // architecture no constants for it: there is nothing to stand a prediction on.
  KernelCost(const Device& device, const Architecture& architecture, const KernelLibrary& library,
             const Framework& framework, const KernelSettings& settings, const Profile* profile,
             const KernelRates* rates = nullptr);

  [[nodiscard]] LayerCost forward(const Layer& layer, double batch) const;
  [[nodiscard]] LayerCost backward(const Layer& layer, double batch) const;
  // One step of the optimizer over all parameters, the 16-bit copy of mixed precision included.
  [[nodiscard]] Kernel optimizer(const Model& model, Optimizer optimizer) const;
  // Mixed precision: casting the weights, once a micro-batch. Gradient accumulation: adding, once a
  // micro-batch.
  [[nodiscard]] std::optional<Kernel> weight_casts(const Model& model) const;
  [[nodiscard]] Kernel accumulation(const Model& model) const;
  // A streaming kernel that reads and writes `bytes` in all.
  [[nodiscard]] Kernel streaming(const std::string& name, Bytes bytes) const;

  [[nodiscard]] BytesPerSecond bandwidth() const { return bandwidth_; }
  [[nodiscard]] FlopsPerSecond peak() const { return peak_; }
  // Relative standard deviation of a rank's compute time from step to step.
  [[nodiscard]] double time_spread() const { return library_.time_spread; }
  [[nodiscard]] const KernelSettings& settings() const { return settings_; }

 private:
  struct Product {
    double m = 0, n = 0, k = 0, count = 1;
  };
  [[nodiscard]] Kernel product(const std::string& name, const Product& shape, double efficiency, Flops work,
                               Bytes bytes) const;
  [[nodiscard]] Kernel convolution(const std::string& name, const Convolution& conv, const Product& shape,
                                   Bytes bytes) const;
  [[nodiscard]] Kernel linear(const std::string& name, const Product& shape) const;
  [[nodiscard]] Kernel attention(const std::string& name, const Product& shape, const BatchedGemm& work,
                                 double extra) const;
  [[nodiscard]] Kernel experts(const std::string& name, const ExpertLinear& work, double batch) const;
  [[nodiscard]] Kernel memory_bound(const std::string& name, Bytes bytes, Seconds overhead) const;
  void add_transposes(LayerCost& cost, const std::string& name, double elements) const;
  [[nodiscard]] double element_wise_bytes(const ElementWise& work, bool backward) const;
  [[nodiscard]] Kernel modelled_linear(const std::string& name, const Product& shape) const;
  void use_rates(const KernelRates& rates);
  void use_profile(const Profile& profile);
  void correct_by_profile(Kernel& kernel, const Product& shape) const;

  [[nodiscard]] LayerCost forward_of(const std::string&, const Convolution&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const Linear&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const BatchedGemm&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const ElementWise&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const Traffic&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const VocabularyLoss&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const ExpertLinear&, double batch) const;
  [[nodiscard]] LayerCost forward_of(const std::string&, const Recurrent&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const Convolution&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const Linear&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const BatchedGemm&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const ElementWise&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const Traffic&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const VocabularyLoss&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const ExpertLinear&, double batch) const;
  [[nodiscard]] LayerCost backward_of(const std::string&, const Recurrent&, double batch) const;

  Device device_;
  KernelLibrary library_;
  Framework framework_;
  KernelSettings settings_;
  KernelEfficiency efficiency_;
  FlopsPerSecond peak_;
  BytesPerSecond bandwidth_;
  double element_;           // bytes
  MeasuredRatios measured_;  // of this precision, single products
  // Measured rates in this precision.
  struct Mechanism {
    GemmRates gemm;
    int multiprocessors = 1;
    GemmConditions conditions;
  };
  std::optional<Mechanism> mechanism_;
};

}  // namespace paceline
