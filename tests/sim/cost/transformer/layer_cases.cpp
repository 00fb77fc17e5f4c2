#include "tests/sim/cost/transformer/layer_cases.h"

#include "sim/cost/transformer/dense_layer.h"
#include "sim/model/transformer_spec.h"
#include "tests/sim/support/step.h"

namespace paceline::test {
namespace {

Model model_of(const LayerCase& which) {
  DecoderSpec spec;
  spec.layers = 4;
  spec.vocabulary = which.vocabulary;
  spec.positions = spec.sequence = which.sequence;
  spec.block.hidden = which.hidden;
  const bool grouped = which.key_heads > 0;
  spec.block.norm = grouped ? NormKind::rms : NormKind::layer;
  spec.block.norm_bias = !grouped;
  spec.block.dropout = spec.block.attention.dropout = !grouped;
  spec.block.attention.heads = which.heads;
  spec.block.attention.key_value_heads = grouped ? which.key_heads : which.heads;
  spec.block.attention.head_size = which.hidden / which.heads;
  spec.block.attention.rotary = grouped;
  spec.block.attention.joined = !grouped;
  spec.block.attention.bias = spec.block.attention.output_bias = !grouped;
  spec.block.feed_forward = {which.feed_forward, grouped, !grouped};
  spec.tied = !grouped;
  return build_decoder(spec);
}

Strategy strategy_of(const LayerCase& which) {
  Strategy strategy;
  strategy.kind = StrategyKind::distributed_data_parallel;
  strategy.framework = which.framework;
  strategy.parallel.degrees.tensor = which.tensor;
  strategy.parallel.degrees.context = which.context;
  strategy.parallel.fp8 = which.fp8;
  strategy.optimizer = Optimizer::adam;
  return strategy;
}

}  // namespace

LayerCase llama_case() {
  LayerCase which;
  which.name = "llama 8b";
  which.framework = "torchtitan";
  which.device = "h100-sxm5-96gb-hbm2e";
  which.hidden = 4096, which.heads = 32, which.key_heads = 8;
  which.feed_forward = 14336, which.sequence = 8192;
  which.micro_batch = 2;
  which.vocabulary = 128256;
  return which;
}

PartTimes parts_of(const Pass& pass) {
  PartTimes times;
  for (const PassStep& step : pass.steps) {
    const auto* kernel = std::get_if<Kernel>(&step);
    if (!kernel) {
      times.exchanges += 1;
      continue;
    }
    double& part = is_core(*kernel) || kernel->name == "ring steps"             ? times.attention
                   : kernel->work > Flops(0) || kernel->name.ends_with(" cast") ? times.products
                                                                                : times.element_wise;
    if (kernel->name != "ring steps") part += kernel->time.value() * 1e3;
  }
  return times;
}

LayerBench::LayerBench(const LayerCase& which)
    : strategy(strategy_of(which)),
      framework(source_catalog().frameworks.framework(which.framework)),
      model(model_of(which)),
      device(source_catalog().hardware.device(which.device)),
      rates(*source_catalog().kernel_rates.rates_of(source_catalog().hardware, device)),
      precision(which.precision),
      micro_batch(which.micro_batch) {
  if (which.clock > 0) rates.sustained_clock = SustainedClock{which.clock, 0, "of one machine"};
}

template <class Ask>
auto LayerBench::ask(const Ask& question) const {
  const int ranks = strategy.parallel.degrees.model();
  const Mesh mesh(strategy.parallel, ranks, 8);
  const Cluster& cluster = source_catalog().hardware.cluster("dgx-a100-80");
  return question(TransformerRequest{model, strategy, framework, mesh, device, rates, cluster, precision,
                                     micro_batch, nullptr});
}

TransformerWork LayerBench::work() const {
  return ask([](const TransformerRequest& request) { return transformer_work(request); });
}

Seconds LayerBench::streaming(Bytes bytes) const {
  return ask([&](const TransformerRequest& request) { return streaming_time(request, bytes); });
}

Seconds LayerBench::optimizer(double parameters, double held) const {
  return ask(
      [&](const TransformerRequest& request) { return optimizer_step_time(request, parameters, held); });
}

}  // namespace paceline::test
