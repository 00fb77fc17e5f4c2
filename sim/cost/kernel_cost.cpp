#include "sim/cost/kernel_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/cost/gemm_work.h"

namespace paceline {
namespace {

constexpr std::size_t index_of(Precision precision) { return static_cast<std::size_t>(precision); }

FlopsPerSecond peak_of(const Device& device, Precision precision) {
  auto peak = device.peak[index_of(precision)];
  if (!peak && precision == Precision::bf16) peak = device.peak[index_of(Precision::fp16)];
  if (peak) return *peak;
  throw InputError("precision", to_string(precision), fmt::format("one that {} has", device.title),
                   "choose fp32, or another device");
}

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

Seconds total_time(const LayerCost& cost) {
  Seconds sum;
  for (const Kernel& kernel : cost.kernels) sum += kernel.time;
  return sum;
}

KernelCost::KernelCost(const Device& device, const Architecture& architecture, const KernelLibrary& library,
                       const Framework& framework, const KernelSettings& settings, const Profile* profile)
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
  if (!profile) return;
  for (const MeasuredGemm& gemm : profile->gemms)
    if (gemm.precision == to_string(settings.precision)) measured_.push_back(gemm);
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

// A measured shape replaces the model; the nearest shape within a factor 2 in every dimension corrects it by
// its own measured / modelled ratio.
void KernelCost::correct_by_profile(Kernel& kernel, const Product& shape) const {
  const MeasuredGemm* nearest = nullptr;
  double least = 3 * std::log(2.0);
  for (const MeasuredGemm& gemm : measured_) {
    if (static_cast<double>(gemm.batch) != shape.count) continue;
    const double dm = std::abs(std::log(static_cast<double>(gemm.m) / shape.m));
    const double dn = std::abs(std::log(static_cast<double>(gemm.n) / shape.n));
    const double dk = std::abs(std::log(static_cast<double>(gemm.k) / shape.k));
    if (std::max({dm, dn, dk}) > std::log(2.0) || dm + dn + dk > least) continue;
    least = dm + dn + dk;
    nearest = &gemm;
  }
  if (!nearest) return;
  if (least == 0) {
    kernel.time = nearest->time.median;
    kernel.provenance = Provenance::measured;
    return;
  }
  const Product measured{static_cast<double>(nearest->m), static_cast<double>(nearest->n),
                         static_cast<double>(nearest->k), 1};
  const double elements = measured.m * measured.k + measured.k * measured.n + measured.m * measured.n;
  const Flops work =
      quantised_gemm_work(measured.m, measured.n, measured.k, device_.multiprocessors.value_or(1));
  const Kernel model = product("", measured, efficiency_.gemm, work, Bytes(elements * element_));
  kernel.time *= nearest->time.median / model.time;
  kernel.provenance = Provenance::interpolated;
}

Kernel KernelCost::linear(const std::string& name, const Product& shape) const {
  const double elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
  const Flops work = quantised_gemm_work(shape.m, shape.n, shape.k, device_.multiprocessors.value_or(1));
  Kernel kernel = product(name, shape, efficiency_.gemm, work, Bytes(elements * element_));
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
