// Sizes of transformers whose blocks differ in more than numbers: attention with grouped or latent keys and
// values, gated feed-forward parts, mixtures of experts, norms of several kinds and places.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/model/model.h"

namespace paceline {

enum class NormKind { layer, rms };

// DeepSeek's multi-head latent attention: keys and values (and queries, if query_rank > 0) are compressed,
// normed and expanded again; the rotary part of the keys is shared by all heads.
struct LatentSpec {
  std::int64_t query_rank = 0, key_value_rank = 0;
  std::int64_t plain_size = 0, rotary_size = 0, value_size = 0;  // of a head
};

struct AttentionSpec {
  std::int64_t heads = 0, key_value_heads = 0, head_size = 0;
  bool bias = false, output_bias = false;
  bool joined = false;     // one product for queries, keys and values
  bool head_norm = false;  // RMS norm of each query and key, one weight for all heads
  bool rotary = true;
  bool sinks = false;  // a learned logit a head that takes part in the softmax only
  bool causal = true;
  bool fused = true;     // one kernel that never writes the scores
  bool dropout = false;  // of the probabilities
  std::int64_t window = 0;
  std::optional<LatentSpec> latent;

  [[nodiscard]] std::int64_t score_size() const {
    return latent ? latent->plain_size + latent->rotary_size : head_size;
  }
  [[nodiscard]] std::int64_t value_size() const { return latent ? latent->value_size : head_size; }
};

struct FeedForwardSpec {
  std::int64_t width = 0;
  bool gated = false;
  bool bias = false;
};

struct ExpertSpec {
  std::int64_t experts = 0, chosen = 0;
  std::int64_t width = 0;
  std::int64_t shared_width = 0;  // of all shared experts together; 0: none
  bool shared_gate = false;       // a sigmoid of the token scales the shared part
  bool bias = false;              // of router and experts
  bool correction = false;        // a bias for each expert that steers the choice only, without a gradient
};

struct BlockSpec {
  std::int64_t hidden = 0;
  NormKind norm = NormKind::rms;
  bool norm_bias = false;       // layer norms only
  bool norm_after = false;      // norms after the residual add (BERT) instead of before each part
  bool norm_both = false;       // norms before and after each part, the latter before the add (Gemma 2)
  bool parallel = false;        // both parts read the block's input; one add
  bool parallel_norms = false;  // parallel: a norm for each part
  bool dropout = false;         // before each residual add
  AttentionSpec attention;
  FeedForwardSpec feed_forward;
  std::optional<ExpertSpec> experts;
};

struct DecoderSpec {
  std::int64_t layers = 0, vocabulary = 0;
  std::int64_t positions = 0, sequence = 0;  // longest and actual tokens a sample
  std::int64_t learned_positions = 0;        // rows of a position table; 0: none
  bool positions_as_sequence = false;        // the table has a row for each token of the sequence instead
  std::int64_t embedding_size = 0;           // another width than the blocks', with projections; 0: theirs
  bool embedding_norm = false, final_norm = true;
  bool tied = false, head_bias = false;
  std::int64_t dense_layers = 0;      // with experts: first layers that have none
  std::int64_t dense_width = 0;       // their feed-forward width
  std::int64_t window_every = 1;      // every n-th layer attends to all positions, the others to the window
  std::int64_t predicted_tokens = 0;  // further tokens that are predicted, each by a block of its own (MTP)
  BlockSpec block;
};
Model build_decoder(const DecoderSpec& spec);

// An encoder and a decoder that attends to it: T5, BART, the first transformer. Source and target are of
// `sequence` tokens each; the loss is of the target.
struct EncoderDecoderSpec {
  std::int64_t encoder_layers = 0, decoder_layers = 0, vocabulary = 0;
  std::int64_t positions = 0, sequence = 0;
  std::int64_t learned_positions = 0;  // rows of a table for each side; 0: none
  std::int64_t relative_buckets = 0;   // rows of a table of score biases for each side, heads wide; 0: none
  bool embedding_norm = false, final_norm = false;
  bool tied = false;
  BlockSpec block;
};
Model build_encoder_decoder(const EncoderDecoderSpec& spec);

}  // namespace paceline
