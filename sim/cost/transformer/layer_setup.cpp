#include "sim/cost/transformer/layer_setup.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sim/cost/kernel/transfer.h"

namespace paceline {
namespace {

NumberFormat format_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return NumberFormat::fp32;
    case Precision::tf32:
      return NumberFormat::tf32;
    case Precision::fp16:
      return NumberFormat::fp16;
    case Precision::bf16:
      break;
  }
  return NumberFormat::bf16;
}

GemmRates products_of(const TransformerRequest& request, NumberFormat format) {
  if (const auto rates = gemm_rates_for(request.rates, request.device, format)) return *rates;
  throw InputError(
      "precision", to_string(format),
      fmt::format("a number format in which matrix products of {} were measured", request.device.title),
      "choose another precision, or measure the device with paceline-probe");
}

GemmRates products_in_8_bit(const TransformerRequest& request) {
  const Fp8Rules& rules = request.framework.transformer->fp8;
  GemmRates rates = products_of(request, NumberFormat::fp8);
  rates.rate *= rules.rate * (request.strategy.parallel.fp8 == Fp8Recipe::row ? rules.row_rate : 1);
  return rates;
}

// Where nobody has measured attention in training: what inference reaches, with the backward of others.
TrainingAttentionRates from_inference(const AttentionRates& inference) {
  constexpr double usual_backward = 0.8;
  TrainingAttentionRates rates;
  const auto known = inference.rate.lower_bound(128);
  rates.forward = known == inference.rate.end() ? inference.rate.rbegin()->second : known->second;
  rates.backward_rate = usual_backward;
  rates.longest = inference.longest;
  for (const auto& [head, rate] : inference.rate) rates.by_head[head] = rate / rates.forward;
  return rates;
}

// The framework's kernel, or another fused one that the device is known with; nothing where there is none
// (scores in memory then) or the precision has none.
std::optional<TrainingAttentionRates> attention_of(const TransformerRequest& request) {
  const std::string& kernel = request.framework.transformer->attention.kernel;
  if (kernel.empty() || !is_mixed(request.precision)) return std::nullopt;
  const auto& known = request.rates.training_attention;
  if (const auto found = known.find(kernel); found != known.end()) return found->second;
  for (const char* other : {"flash-attention-2", "cudnn"})
    if (const auto found = known.find(other); found != known.end()) return found->second;
  if (request.rates.attention) return from_inference(*request.rates.attention);
  return std::nullopt;
}

DispatchPath dispatch_of(const TransformerRequest& request) {
  DispatchPath path;
  if (!request.hardware) return path;
  path.rates = &request.hardware->dispatch();
  path.link = request.hardware->architecture(request.device.architecture).nvlink;
  path.domain = request.cluster.devices_per_node;
  if (const auto& links = request.device.nvlink) path.raw = links->rate * links->links;
  if (const auto& network = request.cluster.network)
    path.nic = network->rate * network->nics / request.cluster.devices_per_node;
  return path;
}

}  // namespace

LayerContext layer_context_of(const TransformerRequest& request) {
  const Parallelism& parallel = request.strategy.parallel;
  LayerContext context{
      *request.framework.transformer,
      parallel,
      request.micro_batch,
      request.micro_batch * static_cast<double>(request.model.sequence) / parallel.degrees.context,
      request.rates.multiprocessors,
      products_of(request, format_of(request.precision)),
      std::nullopt,
      {},
      {},
      {},
      element_bytes(request.precision),
      request.mesh.group(GroupKind::expert),
      dispatch_of(request),
      request.cluster.host.arm};
  if (parallel.fp8 != Fp8Recipe::none) context.products_in_8_bit = products_in_8_bit(request);
  const double clock = sustained_clock_of(request.rates, request.device);
  context.conditions.clock = clock;
  if (const auto attention = attention_of(request)) {
    context.attention = *attention;
    if (parallel.fp8_attention) {
      const double gain = context.rules.experts.attention_8_bit;
      context.attention.forward *= gain;
      context.attention.latent_forward *= gain;
    }
    context.attention_conditions.clock = clock / attention->clock;
  }
  return context;
}

}  // namespace paceline
