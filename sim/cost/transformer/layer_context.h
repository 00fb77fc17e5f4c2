// LayerContext: what every part of a transformer layer needs to know to be timed on one rank, and the kernels
// that the parts are made of.
#pragma once

#include <optional>
#include <string>

#include "sim/cost/kernel/gemm_time.h"
#include "sim/cost/kernel/kernel_rates.h"
#include "sim/cost/transformer/pass.h"
#include "sim/hardware/dispatch_rates.h"
#include "sim/strategy/mesh.h"
#include "sim/strategy/parallelism.h"
#include "sim/strategy/transformer_rules.h"

namespace paceline {

// How tokens reach experts: the links of one device.
struct DispatchPath {
  const DispatchRates* rates = nullptr;
  std::string link;         // of the NVLink generation
  int domain = 1;           // devices of one NVLink domain
  BytesPerSecond raw, nic;  // of one device, one direction
};

struct LayerContext {
  const TransformerRules& rules;
  const Parallelism& parallel;
  double samples = 1;  // of a micro-batch
  double tokens = 0;   // T: of a micro-batch that a tensor group works on
  int multiprocessors = 1;
  GemmRates products{};                          // in the precision of the step
  std::optional<GemmRates> products_in_8_bit{};  // with parallel.fp8
  GemmConditions conditions{};                   // clock: sustained over burst
  TrainingAttentionRates attention{};
  GemmConditions attention_conditions{};  // clock: sustained over that of the attention rates
  double element = 2;                     // bytes of an activation
  MeshGroup experts{};                    // ranks that share a layer's experts
  DispatchPath dispatch{};
  bool arm_host = false;

  // Ts: those of one rank where the sequence is split over the tensor group.
  [[nodiscard]] double rank_tokens() const { return tokens / parallel.degrees.tensor; }
};

// What one part of a layer does. In backward, parts run in the reverse of forward's order.
struct LayerPart {
  Pass forward, recompute, backward;
  Seconds weight_gradients;  // of backward: products that only weight gradients need
  // `next` comes after this part in forward and recomputation, before it in backward.
  void append(const LayerPart& next);
};

// parallel.recompute_modules has `module`.
[[nodiscard]] bool recomputes(const LayerContext& context, const std::string& module);

// Bytes an element of casts to 8 bit: of inputs in forward, of the gradients of outputs in backward.
[[nodiscard]] double input_cast_bytes(const LayerContext& context);
[[nodiscard]] double gradient_cast_bytes(const LayerContext& context);
// Bytes moved an element of a weight gradient's product.
[[nodiscard]] double weight_gradient_bytes(const LayerContext& context);

// Bytes at the memory's rate with the framework's factor on them, and the floor of `kernels` kernels.
[[nodiscard]] Kernel element_wise(const LayerContext& context, std::string name, Bytes bytes,
                                  double kernels = 1);
// One matrix product, or `shape.batch` in one launch; `in_8_bit` where the context has rates for it.
[[nodiscard]] Kernel product(const LayerContext& context, std::string name, GemmShape shape, bool in_8_bit);

// y[rows, outputs] = x[rows, inputs] W, in 8 bit with its casts where the context has rates for it: forward,
// the gradient of the input and that of the weight.
struct LinearShape {
  double rows = 0, outputs = 0, inputs = 0;
};
void add_linear(LayerPart& part, const LayerContext& context, const std::string& name,
                const LinearShape& shape);
// Its forward alone, as recomputation does it.
void add_linear_forward(Pass& pass, const LayerContext& context, const std::string& name,
                        const LinearShape& shape);

}  // namespace paceline
