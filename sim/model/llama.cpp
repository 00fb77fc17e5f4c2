// Llama (Touvron et al. 2023; Grattafiori et al. 2024), registered as transformers' LlamaForCausalLM: RMS
// norms, rotary positions, grouped-query attention, SwiGLU, no biases, no dropout, a head of its own.
#include "sim/model/builders.h"
#include "sim/model/transformer_spec.h"

namespace paceline {

Model build_llama(const LlamaSpec& spec) {
  DecoderSpec decoder;
  decoder.layers = spec.layers;
  decoder.vocabulary = spec.vocabulary;
  decoder.positions = spec.positions;
  decoder.sequence = spec.sequence;
  decoder.block.hidden = spec.hidden;
  decoder.block.attention.heads = spec.heads;
  decoder.block.attention.key_value_heads = spec.key_value_heads;
  decoder.block.attention.head_size = spec.hidden / spec.heads;
  decoder.block.feed_forward = {spec.feed_forward, true, false};
  return build_decoder(decoder);
}

}  // namespace paceline
