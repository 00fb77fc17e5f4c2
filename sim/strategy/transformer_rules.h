// TransformerRules: how one framework generation runs transformer layers, their head and optimizer. Passes
// count reads and writes of a tensor; "elements" are those of a rank.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_reader.h"
#include "base/quantity.h"
#include "sim/strategy/parallelism.h"

namespace paceline {

struct Passes {
  double forward = 0, backward = 0;
};

// Which attention kernels: by the name of their rates, or unfused products with a softmax between.
struct AttentionRules {
  std::string kernel;        // "flash-attention-1", "flash-attention-2", "cudnn"; "": unfused
  Passes softmax{2, 3};      // unfused: over the scores
  Passes dropout{2.5, 2.5};  // unfused, where the model has dropout
};

struct ElementWiseRules {
  double factor = 1.2;                           // on the bytes below and the optimizer's
  Seconds kernel;                                // floor of one kernel
  Passes norm, residual, residual_with_dropout;  // each of a layer's two, over T h
  Passes activation, gated_activation;           // over T F
  Passes rotary;                                 // over queries and keys
  double copies = 1;                             // passes over queries, keys, values, in each direction
  double loss_bytes = 24;                        // of a logit, forward and backward together
  double embedding = 3;                          // passes over T h, in each direction
  int vocabulary_multiple = 1;                   // the table is padded to it, a tensor rank
};

// Host time of one layer = operators x per_operator; backward and recomputation by factors.
struct TransformerHost {
  double operators = 20, tensor_operators = 3;  // with tensor > 1
  Seconds per_operator;
  double backward = 1.3, recompute = 1;
  double graph = 0.1;  // what a CUDA graph leaves
};

struct TensorRules {
  bool decomposed = false;               // products and collectives in pieces, unless the strategy says
  bool overlaps_weight_gradient = true;  // input-gradient collectives run beside weight-gradient products
  double covered = 0.8;                  // of those products
  double slowdown = 0.15;                // of the smaller of the two
  double decomposed_exposed = 0.36;      // with tensor_overlap: what stays exposed
};

// Context parallelism over a ring: what a step costs beyond the attention of its part.
struct ContextRules {
  Seconds step_forward, step_backward;
};

struct ShardRules {       // zero_stage 3
  double slowdown = 0.3;  // of compute beside gathers and reductions, as share of their time
  double copy_bytes = 4;  // of a parameter and micro-batch: flat-parameter copies, beside 2 gradient-bytes
  Seconds start;          // of the optimizer step
  Seconds host_layer;     // of the optimizer step, a layer
  bool reduce_stalls_compute = false;  // FSDP2: the next reduction's input waits for the last one's end
  int gathers_ahead = 2;               // rate limiter
};

struct GradientRules {
  double bytes = 4;  // of an element when it is reduced
  bool overlap = true;
  bool overlap_parameters = true;
  double covered = 0.9;  // of the last backward (first forward)
  double slowdown = 0.31;
  double accumulation_bytes = 0;  // a parameter and micro-batch outside the product; 0: into fp32 within it
  double bucket_elements = 40e6;  // least; more with many ranks
};

struct StepRules {
  double optimizer_bytes = 46;  // of a parameter of this rank's shard
  double norm_bytes = 4, unsharded_norm_bytes = 8, sharded_norm_bytes = 2;
  Seconds start;           // of the optimizer step
  double jitter = 0.0035;  // of the step, a doubling of the ranks beyond 8
};

// Mixtures of experts. Factors act on bytes of memory-bound kernels unless they say otherwise.
struct ExpertRules {
  bool known = false;          // nothing is predicted for mixtures where it is not
  double element_wise = 1.62;  // factor on bytes of the expert side
  double one_by_one = 1.46;    // further factor where each expert is a product of its own
  double product = 1;          // on the time of the experts' products
  double permutation_grouped = 0.61, casts_grouped = 0.6;  // with one kernel for all experts
  double tensor_scaling = 1;                               // on casts, with one scale a tensor
  Passes activation{3.5, 5.5};                             // over A F, the rows of all local experts
  Passes activation_grouped{0.3, 0.6};                     // factor on them with one kernel for all experts
  // Biases and the clamp of the activation, where the model's experts have them.
  double bias = 1, bias_kernels = 0;
  Passes bias_hidden{3, 4}, bias_feed_forward{4, 6};  // over A h and A F
  struct Router {
    double kernels = 8, score_bytes = 16, passes = 1;  // bytes of a token and expert; passes over its input
    double backward = 1.6;                             // of forward's time
  } router;
  // Sorting tokens by expert and back. In copies of all tokens of a rank: all-to-all (2 + 2 k + 4 k if it has
  // several experts), kernels that send a token once to a rank: the factor times (ranks of a token + k).
  struct Permutation {
    double factor = 1, kernels = 6;
    Seconds forward_preparation, backward_preparation;
    double deep_ep = 2, hybrid_ep = 1.2;
  } permutation;
  // Multi-head latent attention: factor on the rate of its core; passes over queries of assembling queries,
  // keys and values with their rotary parts.
  struct Latent {
    double rate = 1;
    Passes assembly{10.3, 13.4};
  } latent;
  double attention_8_bit = 1.24;          // factor on the rate of the core of any attention in 8 bit
  double hidden = 0.78, slowdown = 0.26;  // of an overlapped all-to-all
  Seconds host_attention, host_router, host_expert;  // forward
  Passes host_attention_factor{1, 1.2}, host_router_factor{1, 1.1}, host_expert_factor{1, 2};
  Seconds synchronisation;  // dropless: counts reach the host
  double graph_attention = 0.15, graph_router = 0.5;
  double token_drop = 0.4, overlap = 1;  // factors on the host
  double arm_host = 1.2;                 // Grace against x86
  // What this generation does when nothing else is said.
  Dispatcher dispatcher = Dispatcher::all_to_all;
  GraphScope graph_scope = GraphScope::none;
  bool grouped = false;  // of 8-bit experts; in 16 bit each is a product of its own
  bool drops_tokens = false;
};

struct Fp8Rules {
  Passes cast{3, 4};          // bytes an element of inputs forward, of gradients of outputs backward
  double shard_cast = 4;      // bytes of a weight and micro-batch with zero_stage 3
  double tensor_scaling = 1;  // factor on them with one scale a tensor
  double row_casts = 1.6, row_rate = 0.68;
  double rate = 1.04;  // of 8-bit products against their table at the same clock
};

// Bytes that a rank keeps of a parameter over the step.
struct MemoryRules {
  double parameter = 4;  // weights, in the precision in which the framework stores them
  double master = 0;     // 32-bit copies that the optimizer works on, beside its own states
  double gradient = 4;
  bool bucket_buffers = false;  // ZeRO 1 and 2 copy gradients into flat buckets, two where reductions overlap
};

struct TransformerRules {
  AttentionRules attention;
  ElementWiseRules element_wise;
  TransformerHost host;
  TensorRules tensor;
  ContextRules context;
  ShardRules shards;
  GradientRules gradients;
  StepRules step;
  ExpertRules experts;
  Fp8Rules fp8;
  MemoryRules memory;
  bool accumulates_in_product = true;  // weight gradients are added to fp32 in the product
  bool sequence_parallel = true;       // by default with tensor > 1
  bool balances_stages = false;        // layers are laid out so that the slowest stage is as fast as can be
  bool pipeline_overlap = true;        // of interleaved schedules
  double uncertainty = 0.1;            // one standard deviation of ln(step)
};

// The "transformer" object of a "paceline/framework-1" file. Every field is required unless `base`, the rules
// of the framework that it extends, has it. Throws InputError.
[[nodiscard]] TransformerRules read_transformer_rules(const JsonValue& value, const TransformerRules* base);

}  // namespace paceline
