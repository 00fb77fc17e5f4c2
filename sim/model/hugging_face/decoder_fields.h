// What the decoders' readers share.
#pragma once

#include "sim/model/hugging_face/config.h"
#include "sim/model/model_recipe.h"
#include "sim/model/transformer_spec.h"

namespace paceline {

// Layers, width, vocabulary, positions, sequence, heads with their sizes, tied head. `tied` is the family's
// default. Throws InputError for sizes that contradict one another.
DecoderSpec read_decoder_sizes(HuggingFaceConfig& config, bool tied);
void set_sequence(DecoderSpec& spec);  // the default: the longest one, at most 4096
ModelRecipe recipe_of(const DecoderSpec& spec);

// RMS norms, rotary positions and gates: Llama and its kin, without their feed-forward width.
DecoderSpec read_llama_sizes(HuggingFaceConfig& config, bool tied);

}  // namespace paceline
