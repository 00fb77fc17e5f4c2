// What a rank does in a transformer layer without experts and without latent attention, and around it: the
// collectives of tensor and context parallelism, recomputation.
//
//   forward: norm, qkv, rotary positions, copies, core, projection, add; norm, up, activation, down, add
// Projections of queries, keys and values are one product, and so are gate and up. With a tensor group, qkv
// and up are split by outputs, projection and down by inputs:
//   plain              all-reduce after each second product; backward of the input gradient of each first
//   sequence parallel  all-gather before each first product, reduce-scatter after each second; backward the
//                      same for gradients, and the inputs of the first products are gathered once more
#pragma once

#include "sim/cost/kernel/attention_time.h"
#include "sim/cost/transformer/layer_context.h"
#include "sim/cost/transformer/transformer_work.h"

namespace paceline {

class DenseLayer {
 public:
  DenseLayer(const TransformerRequest& request, const LayerContext& context);

  [[nodiscard]] bool sequence_parallel() const { return sequence_parallel_; }
  // Tokens that norms and residual adds of one rank see.
  [[nodiscard]] double stream_tokens() const;

  // Queries, keys and values to the projection of the context, without norm and add.
  [[nodiscard]] LayerPart attention(const Block& block) const;
  [[nodiscard]] LayerPart feed_forward(std::int64_t hidden, std::int64_t width, bool gated) const;
  // `passes` over the stream.
  [[nodiscard]] LayerPart stream(const std::string& name, const Passes& passes, double hidden) const;
  [[nodiscard]] LayerPart norm(double hidden) const;
  // A product that is split by its outputs, or by its inputs, over the tensor group.
  [[nodiscard]] LayerPart column(const std::string& name, const LinearShape& whole) const;
  [[nodiscard]] LayerPart row(const std::string& name, const LinearShape& whole) const;
  // A part whose products are split over the tensor group by other rules, with the exchanges around it.
  [[nodiscard]] LayerPart exchanged(LayerPart part, double hidden) const;
  // The core of attention alone, in one direction.
  [[nodiscard]] Pass core(const Block& block, Direction direction) const;

  [[nodiscard]] Exchange exchange(CollectiveKind kind, double hidden, double tokens) const;

 private:
  [[nodiscard]] AttentionCall call_of(const AttentionShape& shape) const;
  [[nodiscard]] Pass unfused_core(const AttentionCall& call, bool dropout, Direction direction) const;
  [[nodiscard]] Kernel fused_core(const AttentionCall& call, Direction direction) const;
  [[nodiscard]] LayerPart linear(const std::string& name, const LinearShape& shape) const;
  void add_context_exchange(Pass& pass, const AttentionShape& shape, Direction direction) const;
  [[nodiscard]] double tensor() const { return context_.parallel.degrees.tensor; }

  const TransformerRequest& request_;
  const LayerContext& context_;
  bool fused_, sequence_parallel_;
};

// Kernels that only attention's core has are named so.
[[nodiscard]] bool is_core(const Kernel& kernel);

}  // namespace paceline
