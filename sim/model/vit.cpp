// Vision transformer, registered as torchvision's VisionTransformer.
#include "sim/model/builders.h"
#include "sim/model/transformer_blocks.h"

namespace paceline {
namespace {

BlockSpec block_of(const VitSpec& spec) {
  BlockSpec block;
  block.hidden = spec.hidden;
  block.norm = NormKind::layer;
  block.norm_bias = true;
  block.attention.heads = block.attention.key_value_heads = spec.heads;
  block.attention.head_size = spec.hidden / spec.heads;
  block.attention.bias = block.attention.output_bias = block.attention.joined = true;
  block.attention.rotary = block.attention.causal = false;
  block.feed_forward = {spec.feed_forward, false, true};
  return block;
}

Convolution patches_of(const VitSpec& spec) {
  Convolution convolution;
  convolution.input_channels = 3;
  convolution.output_channels = spec.hidden;
  convolution.input_height = convolution.input_width = spec.image;
  convolution.output_height = convolution.output_width = spec.image / spec.patch;
  convolution.kernel_height = convolution.kernel_width = convolution.stride = spec.patch;
  convolution.first = true;
  return convolution;
}

}  // namespace

Model build_vit(const VitSpec& spec) {
  constexpr double fp32_bytes = 4;
  constexpr std::int64_t colours = 3;
  const BlockSpec block = block_of(spec);
  const Convolution patches = patches_of(spec);
  const std::int64_t tokens = patches.output_height * patches.output_width + 1;
  const auto stream = static_cast<double>(tokens * spec.hidden);
  const auto block_name = [](std::int64_t index) { return "encoder.layers." + std::to_string(index); };

  ModelWriter writer;
  TransformerBlocks blocks(writer, tokens);
  writer.parameter("class_token", spec.hidden);
  writer.linear_parameters("conv_proj", colours * spec.patch * spec.patch, spec.hidden);
  writer.parameter("encoder.pos_embedding", tokens * spec.hidden);
  for (std::int64_t index = 0; index < spec.layers; ++index) blocks.register_block(block_name(index), block);
  blocks.register_norm("encoder.ln", block, spec.hidden);
  writer.linear_parameters("heads.head", spec.hidden, spec.classes);

  writer.layer("conv_proj", patches, {"conv_proj.weight", "conv_proj.bias"}).saved_elements =
      patches.input_elements();
  writer.layer("encoder.embed", Traffic{"embedding", 5 * stream, 3 * stream, 2, 3},
               {"class_token", "encoder.pos_embedding"});
  for (std::int64_t index = 0; index < spec.layers; ++index) blocks.write_block(block_name(index), block);
  blocks.write_norm("encoder.ln", block, spec.hidden);
  writer.linear("heads.head", 1, spec.hidden, spec.classes);

  Model& model = writer.model();
  model.family = ModelFamily::convolutional;  // images in, classes out, the loss outside of the model
  model.input_bytes = fp32_bytes * patches.input_elements();
  model.output_elements = static_cast<double>(spec.classes);
  model.modules = 12 * spec.layers + 7;
  return writer.finish();
}

}  // namespace paceline
