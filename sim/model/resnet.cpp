// ResNet, ResNeXt and SE-ResNeXt (He et al. 2015, Xie et al. 2016, Hu et al. 2017), as torchvision registers
// them; the squeeze-and-excite part as in NVIDIA's DeepLearningExamples.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/resnet_blocks.h"

namespace paceline {

Model build_resnet(const ResNetSpec& spec) {
  ConvolutionalWriter writer(3, spec.image, spec.image);
  FeatureMap map = writer.convolution("conv1", writer.image(), 64, Window::same(7, 2));
  map = writer.relu("relu", writer.batch_norm("bn1", map));
  map = writer.max_pool("maxpool", map, Window::same(3, 2));

  ResNetBlocks blocks(spec, writer);
  std::int64_t planes = 64;
  for (std::size_t stage = 0; stage < spec.blocks.size(); ++stage, planes *= 2)
    map =
        blocks.stage(fmt::format("layer{}", stage + 1), map, planes, spec.blocks[stage], stage == 0 ? 1 : 2);

  map = writer.average_pool_to("avgpool", map, 1);
  writer.linear("fc", map, spec.classes);
  writer.add_modules(4);  // the net itself, ReLU, both poolings
  return writer.finish(static_cast<double>(spec.classes));
}

}  // namespace paceline
