#include "example_runs.h"

namespace paceline::megatron {
namespace {

TrainingRun on_b200(std::int64_t tensor, std::int64_t pipeline, std::int64_t context, std::int64_t data) {
  TrainingRun run;
  run.mesh = {tensor, pipeline, 1, context, data, 1, 1};
  run.micro_batches = 4;
  run.sequence_parallel = run.distributed_optimizer = run.gradient_accumulation_fusion = true;
  run.loss = Loss::fused;
  run.context_all_to_all = true;
  run.libraries = {true, Bytes(33554432 + 1024), Bytes(4.0 * 33554432), Bytes(8519680), 1};
  return run;
}

DecoderSpec llama(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t groups,
                  std::int64_t width, std::int64_t sequence) {
  DecoderSpec model;
  model.layers = layers;
  model.vocabulary = 128256;
  model.positions = model.sequence = sequence;
  model.block.hidden = hidden;
  model.block.attention.heads = heads;
  model.block.attention.key_value_heads = groups;
  model.block.attention.head_size = 128;
  model.block.feed_forward = {width, true, false};
  return model;
}

DecoderSpec deepseek(std::int64_t hidden, std::int64_t vocabulary, std::int64_t dense_width,
                     ExpertSpec experts) {
  DecoderSpec model = llama(4, hidden, 128, 128, dense_width, 4096);
  model.vocabulary = vocabulary;
  model.dense_layers = 1;
  model.dense_width = dense_width;
  model.block.attention.head_norm = true;
  model.block.attention.latent = LatentSpec{1536, 512, 128, 64, 128};
  model.block.experts = experts;
  return model;
}

}  // namespace

TrainingRun llama_70b(std::int64_t tensor, std::int64_t pipeline, std::int64_t context, std::int64_t data,
                      std::int64_t sequence) {
  TrainingRun run = on_b200(tensor, pipeline, context, data);
  run.model = llama(12, 8192, 64, 8, 28672, sequence);
  return run;
}

TrainingRun llama_405b(std::int64_t tensor, std::int64_t pipeline, std::int64_t context, std::int64_t data,
                       std::int64_t sequence) {
  TrainingRun run = on_b200(tensor, pipeline, context, data);
  run.model = llama(4, 16384, 128, 16, 53248, sequence);
  return run;
}

TrainingRun deepseek_v2() {
  TrainingRun run = on_b200(1, 2, 1, 4);
  run.mesh.expert = 4;
  run.capacity_factor = 1;
  run.grouped_products = true;
  run.model = deepseek(5120, 102400, 12288, {160, 6, 1536, 3072, false, false, false});
  return run;
}

TrainingRun deepseek_v3() {
  TrainingRun run = on_b200(1, 1, 1, 8);
  run.mesh.expert = 8;
  run.capacity_factor = 1;
  run.grouped_products = true;
  run.model = deepseek(7168, 129280, 18432, {256, 8, 2048, 2048, false, false, false});
  return run;
}

TrainingRun small_gpt() {
  TrainingRun run;
  run.model.layers = 12;
  run.model.vocabulary = 50257;
  run.model.positions = run.model.sequence = run.model.learned_positions = 1024;
  run.model.tied = true;
  BlockSpec& block = run.model.block;
  block.hidden = 512;
  block.norm = NormKind::layer;
  block.norm_bias = block.dropout = true;
  block.feed_forward = {2048, false, true};
  block.attention.heads = block.attention.key_value_heads = 8;
  block.attention.head_size = 64;
  block.attention.bias = block.attention.output_bias = block.attention.dropout = true;
  block.attention.rotary = block.attention.fused = false;
  run.micro_batch = 4;
  run.micro_batches = 8;
  run.libraries = {true, Bytes(4194304), Bytes(), Bytes(33554432), 1};
  return run;
}

}  // namespace paceline::megatron
