// Well sourced groups that vary one factor: what a first look at a validation should judge.
#pragma once

#include <algorithm>
#include <array>
#include <string>

namespace paceline {

inline constexpr std::array core_groups{"ptddp-cnn-v100",
                                        "dle-rn50-mx-v100-16",
                                        "dle-bertl-squad-pt-v100",
                                        "dle-bertl-tf-a100-40-multinode",
                                        "mpt-scale-a100-40-7b",
                                        "mpt-seqlen-a100-80-13b",
                                        "mpt-seqlen-h100-3b",
                                        "titan-fsdp-8b",
                                        "mlperf-gpt3-h100",
                                        "dlperf-gpt-megatron-lm",
                                        "bs-heads",
                                        "mcore-mem-gpt-a100",
                                        "hf-dp-ddp-nvlink",
                                        "moezoo-qwen3-235b-h100"};

[[nodiscard]] inline bool is_core(const std::string& group) {
  return std::find(core_groups.begin(), core_groups.end(), group) != core_groups.end();
}

}  // namespace paceline
