#include "sim/cost/kernel/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace paceline {
namespace {

// Between devices of one generation; from data sheet transfers whose outcome is known: H100 to H200 4.4
// / 11.6 % against 4.3 / 11.3 % when fitted, A100 SXM to PCIe 14 % of bias.
constexpr double within_generation = 0.1;
// bf16's numbers for a format that nobody has measured on the device.
constexpr double other_format = 0.15;
// Of one device type's clock from site to site.
constexpr double sustained_clock_spread = 0.1;

struct Ratios {
  double peak, bandwidth, per_processor;
};

double processors(const Device& device) {
  if (device.multiprocessors) return *device.multiprocessors;
  throw InputError("device", device.name, "one whose file says how many multiprocessors it has",
                   "add \"multiprocessors\" to its file");
}

double tensor_peak(const Device& device) {
  for (const Precision precision : {Precision::bf16, Precision::fp16})
    if (const auto& peak = device.peak[static_cast<std::size_t>(precision)]) return peak->value();
  throw InputError("device", device.name, "one whose file gives a peak in bf16 or fp16",
                   "choose another device, or measure this one with paceline-probe");
}

GemmRates scaled(GemmRates rates, const Ratios& by) {
  rates.rate *= by.peak;
  rates.l2 *= by.peak;
  rates.memory *= by.bandwidth;
  rates.resident *= by.bandwidth;
  rates.k_step *= 1 / std::sqrt(by.per_processor);
  rates.epilogue *= by.per_processor;
  return rates;
}

AttentionRates scaled(AttentionRates rates, const Ratios& by) {
  for (auto& [head, rate] : rates.rate) rate *= by.peak;
  rates.memory *= by.bandwidth;
  rates.k_block *= 1 / std::sqrt(by.per_processor);
  return rates;
}

ExpertRates scaled(ExpertRates rates, const Ratios& by) {
  rates.rate *= by.peak;
  rates.l2 *= by.peak;
  rates.memory *= by.bandwidth;
  rates.k_step *= 1 / std::sqrt(by.per_processor);
  return rates;
}

}  // namespace

KernelRates transferred(const KernelRates& known, const Device& from, const Device& to) {
  Ratios by{};
  by.peak = tensor_peak(to) / tensor_peak(from);
  by.bandwidth = to.memory_bandwidth / from.memory_bandwidth;
  by.per_processor = by.peak * processors(from) / processors(to);
  KernelRates rates = known;
  rates.name = to.name;
  rates.device = to.name;
  rates.multiprocessors = static_cast<int>(processors(to));
  for (auto& gemm : rates.gemm)
    if (gemm) gemm = scaled(*gemm, by);
  for (auto* attention : {&rates.attention, &rates.latent_attention})
    if (*attention) *attention = scaled(**attention, by);
  for (auto& [library, training] : rates.training_attention) {
    training.forward *= by.peak;
    training.latent_forward *= by.peak;
  }
  if (rates.experts) rates.experts = scaled(*rates.experts, by);
  if (to.sustained_clock)
    rates.sustained_clock = SustainedClock{*to.sustained_clock, sustained_clock_spread, "the device's file"};
  else if (rates.sustained_clock)
    rates.sustained_clock->value *= std::min(to.clock_factor / from.clock_factor, 1.0);
  rates.transfer_uncertainty = std::hypot(known.transfer_uncertainty, within_generation);
  rates.notes.push_back(
      fmt::format("kernel times of {} are scaled from {} by data sheet (peak x {:.2f}, bandwidth x {:.2f}): "
                  "+-{:.0f} % more",
                  to.title, from.title, by.peak, by.bandwidth, within_generation * 100));
  return rates;
}

std::optional<GemmRates> gemm_rates_for(const KernelRates& rates, const Device& device, NumberFormat format) {
  const auto& own = rates.gemm[static_cast<std::size_t>(format)];
  if (own) return own;
  const auto& bf16 = rates.gemm[static_cast<std::size_t>(NumberFormat::bf16)];
  if (!bf16 || format == NumberFormat::fp8 || format == NumberFormat::bf16) return std::nullopt;
  if (format == NumberFormat::fp16) return bf16;
  const auto precision = format == NumberFormat::tf32 ? Precision::tf32 : Precision::fp32;
  const auto& peak = device.peak[static_cast<std::size_t>(precision)];
  if (!peak) return std::nullopt;
  const double ratio = peak->value() / tensor_peak(device);
  GemmRates scaled_rates = scaled(*bf16, {ratio, 1, ratio});
  // L2 serves bytes, which do not become fewer with the arithmetic.
  scaled_rates.l2 = bf16->l2;
  scaled_rates.epilogue = bf16->epilogue;
  scaled_rates.correction = CorrectionGrid();
  scaled_rates.error = {std::hypot(bf16->error.median, other_format),
                        std::hypot(bf16->error.p90, other_format)};
  scaled_rates.corrected_error = scaled_rates.error;
  return scaled_rates;
}

}  // namespace paceline
