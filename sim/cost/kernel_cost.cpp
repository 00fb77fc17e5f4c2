#include "sim/cost/kernel_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/cost/gemm_work.h"

namespace paceline {
namespace {

constexpr std::size_t index_of(Precision precision) { return static_cast<std::size_t>(precision); }

KernelEfficiency efficiency_of(const Architecture& architecture, Precision precision) {
  // bf16 runs on the units of fp16 at the same rate.
  const Precision kind = precision == Precision::bf16 ? Precision::fp16 : precision;
  const auto& efficiency = architecture.efficiency[index_of(kind)];
  if (efficiency) return *efficiency;
  throw InputError("precision", to_string(precision),
                   fmt::format("one with kernel constants for {}", architecture.title),
                   "choose another precision, or measure the device with paceline-probe");
}

}  // namespace

FlopsPerSecond peak_of(const Device& device, Precision precision) {
  auto peak = device.peak[index_of(precision)];
  if (!peak && precision == Precision::bf16) peak = device.peak[index_of(Precision::fp16)];
  if (peak) return *peak;
  throw InputError("precision", to_string(precision), fmt::format("one that {} has", device.title),
                   "choose fp32, or another device");
}

Seconds total_time(const LayerCost& cost) {
  Seconds sum;
  for (const Kernel& kernel : cost.kernels) sum += kernel.time;
  return sum;
}

KernelCost::KernelCost(const Device& device, const Architecture& architecture, const KernelLibrary& library,
                       const Framework& framework, const KernelSettings& settings, const Profile* profile,
                       const KernelRates* rates)
    : device_(device),
      library_(library),
      framework_(framework),
      settings_(settings),
      efficiency_(efficiency_of(architecture, settings.precision)),
      peak_(peak_of(device, settings.precision) * device.clock_factor),
      bandwidth_(device.memory_bandwidth * architecture.bandwidth_share),
      element_(element_bytes(settings.precision)) {
  efficiency_.dense *= framework.dense_factor;
  efficiency_.winograd *= framework.dense_factor;
  if (rates) use_rates(*rates);
  if (profile) use_profile(*profile);
}

void KernelCost::use_rates(const KernelRates& rates) {
  if (!is_mixed(settings_.precision)) return;  // measured were 16-bit products
  const auto& gemm = rates.gemm[static_cast<std::size_t>(NumberFormat::bf16)];
  if (!gemm) return;
  mechanism_ = {*gemm, rates.multiprocessors, {}};
  mechanism_->conditions.clock = sustained_clock_of(rates, device_);
}

void KernelCost::use_profile(const Profile& profile) {
  for (const MeasuredGemm& gemm : profile.gemms) {
    if (gemm.precision != to_string(settings_.precision) || gemm.batch != 1) continue;
    const Product shape{static_cast<double>(gemm.m), static_cast<double>(gemm.n), static_cast<double>(gemm.k),
                        1};
    measured_.add({shape.m, shape.n, shape.k}, gemm.time.median, modelled_linear("", shape).time);
  }
}

Kernel KernelCost::memory_bound(const std::string& name, Bytes bytes, Seconds overhead) const {
  return {name, bytes / bandwidth_ + overhead, Flops(0), bytes, Provenance::modelled};
}

Kernel KernelCost::streaming(const std::string& name, Bytes bytes) const {
  return memory_bound(name, bytes, library_.kernel_overhead);
}

Kernel KernelCost::product(const std::string& name, const Product& shape, double efficiency, Flops work,
                           Bytes bytes) const {
  const double compute = (work / (peak_ * efficiency)).value();
  const double memory = (bytes / bandwidth_).value();
  const Seconds time(std::cbrt(compute * compute * compute + memory * memory * memory));
  const Flops arithmetic(2 * shape.count * shape.m * shape.n * shape.k);
  return {name, time + library_.kernel_overhead, arithmetic, bytes, Provenance::modelled};
}

// A measured shape replaces the model, and corrects it for shapes nearby.
void KernelCost::correct_by_profile(Kernel& kernel, const Product& shape) const {
  if (measured_.empty()) return;
  const MeasuredRatios::Correction correction = measured_.at({shape.m, shape.n, shape.k});
  kernel.time = correction.exact.value_or(kernel.time * correction.factor);
  kernel.provenance = correction.provenance;
}

Kernel KernelCost::modelled_linear(const std::string& name, const Product& shape) const {
  const double elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
  const Bytes bytes(elements * element_);
  if (mechanism_) {
    const GemmTime gemm = gemm_time(mechanism_->gemm, mechanism_->multiprocessors,
                                    {shape.m, shape.n, shape.k}, mechanism_->conditions);
    return {name, gemm.time, Flops(2 * shape.m * shape.n * shape.k), bytes, Provenance::modelled};
  }
  const Flops work = quantised_gemm_work(shape.m, shape.n, shape.k, device_.multiprocessors.value_or(1));
  return product(name, shape, efficiency_.gemm, work, bytes);
}

Kernel KernelCost::linear(const std::string& name, const Product& shape) const {
  Kernel kernel = modelled_linear(name, shape);
  correct_by_profile(kernel, shape);
  return kernel;
}

Kernel KernelCost::convolution(const std::string& name, const Convolution& conv, const Product& shape,
                               Bytes bytes) const {
  const auto precision = index_of(settings_.precision);
  switch (classify(conv)) {
    case ConvolutionClass::depthwise:
      return memory_bound(name, bytes * library_.depthwise_traffic[precision], library_.kernel_overhead);
    case ConvolutionClass::grouped: {
      // Few channels a group leave the tiles of a grouped kernel partly empty.
      const double channels = static_cast<double>(conv.input_channels / conv.groups);
      const Flops work(2 * shape.m * shape.n * shape.k * std::pow(16 / channels, 0.4));
      return product(name, shape, library_.grouped_efficiency[precision], work, bytes);
    }
    case ConvolutionClass::winograd: {
      const Flops work = quantised_gemm_work(shape.m, shape.n, shape.k, device_.multiprocessors.value_or(1));
      const double factor = settings_.precision == Precision::fp32 ? library_.winograd_factor : 1;
      return product(name, shape, efficiency_.winograd * factor, work, bytes);
    }
    case ConvolutionClass::dense:
      break;
  }
  const Flops work = quantised_gemm_work(shape.m, shape.n, shape.k, device_.multiprocessors.value_or(1));
  return product(name, shape, efficiency_.dense, work, bytes);
}

Kernel KernelCost::optimizer(const Model& model, Optimizer optimizer) const {
  Bytes each = framework_.optimizer_traffic[static_cast<std::size_t>(optimizer)];
  if (is_mixed(settings_.precision)) each += Bytes(2);
  const Bytes bytes = each * static_cast<double>(model.parameter_count());
  return {"optimizer step", bytes / bandwidth_, Flops(0), bytes, Provenance::modelled};
}

std::optional<Kernel> KernelCost::weight_casts(const Model& model) const {
  if (!is_mixed(settings_.precision)) return std::nullopt;
  constexpr double bytes_per_parameter = 6;  // read 4, write 2
  const Bytes bytes(bytes_per_parameter * static_cast<double>(model.parameter_count()));
  return Kernel{"cast weights", bytes / bandwidth_, Flops(0), bytes, Provenance::modelled};
}

Kernel KernelCost::accumulation(const Model& model) const {
  constexpr double bytes_per_parameter = 12;  // read both, write one, fp32
  const Bytes bytes(bytes_per_parameter * static_cast<double>(model.parameter_count()));
  return {"accumulate gradients", bytes / bandwidth_, Flops(0), bytes, Provenance::modelled};
}

LayerCost KernelCost::forward(const Layer& layer, double batch) const {
  return std::visit([&](const auto& work) { return forward_of(layer.name, work, batch); }, layer.work);
}

LayerCost KernelCost::backward(const Layer& layer, double batch) const {
  return std::visit([&](const auto& work) { return backward_of(layer.name, work, batch); }, layer.work);
}

}  // namespace paceline
