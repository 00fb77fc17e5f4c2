// Runs whose memory was published, built by hand.
#pragma once

#include "sim/memory/megatron/run.h"

namespace paceline::megatron {

// Dense decoders with grouped queries and SwiGLU on B200 with Transformer Engine, batch 1, bf16, distributed
// optimizer, sequence parallelism, fused loss and gradient accumulation: 12 layers as in Llama 3 70B, 4 as in
// 405B with 16 key-value heads.
[[nodiscard]] TrainingRun llama_70b(std::int64_t tensor, std::int64_t pipeline, std::int64_t context,
                                    std::int64_t data, std::int64_t sequence);
[[nodiscard]] TrainingRun llama_405b(std::int64_t tensor, std::int64_t pipeline, std::int64_t context,
                                     std::int64_t data, std::int64_t sequence);
// The same with experts and latent attention: 4 layers of DeepSeek-V2 (one dense) and V3.
[[nodiscard]] TrainingRun deepseek_v2();
[[nodiscard]] TrainingRun deepseek_v3();
// GPT with 12 layers of 512, 8 heads, 1024 positions, dropout and eager attention, batch 4, on A100 with
// CUBLAS_WORKSPACE_CONFIG=:4096:8.
[[nodiscard]] TrainingRun small_gpt();

}  // namespace paceline::megatron
