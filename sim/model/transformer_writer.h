// The parts that encoders and decoders share. Elements moved are those of eager kernels that compute each
// group in one pass; a framework's own fusion or lack of it is a multiplier on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/builders.h"
#include "sim/model/model_writer.h"

namespace paceline {

class TransformerWriter : public ModelWriter {
 public:
  // `hidden` is the width of the residual stream, `tokens` are those of one sample.
  TransformerWriter(const TransformerSpec& spec);

  // Copies that bring queries, keys and values into the order of heads; then the one of the context back.
  void split_heads(const std::string& name);
  void merge_heads(const std::string& name);
  // Scores, softmax with scale, mask and dropout, context: each a kernel of its own, the scores in memory.
  void eager_attention(const std::string& name, bool causal);
  void bias_gelu(const std::string& name, double rows, std::int64_t width);
  // Ends a block with eager attention of `spec`, its probabilities dropped out.
  void end_eager_block(const TransformerSpec& spec, bool causal);
  // Log-softmax and loss; the log-softmax output is kept in fp32 whatever the precision.
  void vocabulary_loss(const std::string& name, double rows);

  [[nodiscard]] double tokens() const { return tokens_; }
  [[nodiscard]] double stream() const { return stream_; }  // elements of the residual stream

 private:
  std::int64_t sequence_, heads_, head_size_, vocabulary_;
  double tokens_, stream_;
};

constexpr double token_id_bytes = 8;

}  // namespace paceline
