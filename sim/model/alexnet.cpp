// AlexNet in its one-tower form (Krizhevsky 2014), as torchvision registers it.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

FeatureMap features(ConvolutionalWriter& writer) {
  const Window pool = Window::valid(3, 2);
  Window first = Window::valid(11, 4);
  first.padding_height = first.padding_width = 2;
  FeatureMap map = writer.convolution("features.0", writer.image(), 64, first, 1, true);
  map = writer.max_pool("features.2", writer.relu("features.1", map), pool);
  map = writer.convolution("features.3", map, 192, Window::same(5), 1, true);
  map = writer.max_pool("features.5", writer.relu("features.4", map), pool);
  map = writer.convolution("features.6", map, 384, Window::same(3), 1, true);
  map = writer.convolution("features.8", writer.relu("features.7", map), 256, Window::same(3), 1, true);
  map = writer.convolution("features.10", writer.relu("features.9", map), 256, Window::same(3), 1, true);
  return writer.max_pool("features.12", writer.relu("features.11", map), pool);
}

void classifier(ConvolutionalWriter& writer, FeatureMap map, std::int64_t classes) {
  constexpr std::int64_t width = 4096;
  for (int layer = 0; layer < 2; ++layer) {
    map = writer.dropout(fmt::format("classifier.{}", 3 * layer), map);
    map = writer.linear(fmt::format("classifier.{}", 3 * layer + 1), map, width);
    map = writer.relu(fmt::format("classifier.{}", 3 * layer + 2), map);
  }
  writer.linear("classifier.6", map, classes);
}

}  // namespace

Model build_alexnet(const AlexNetSpec& spec) {
  constexpr std::int64_t pooled_size = 6;
  ConvolutionalWriter writer(3, spec.image, spec.image);
  const FeatureMap map = writer.average_pool_to("avgpool", features(writer), pooled_size);
  classifier(writer, map, spec.classes);
  // 5 ReLUs and 3 poolings, 2 dropouts and 2 ReLUs; the net, features, avgpool, classifier.
  writer.add_modules(16);
  return writer.finish(static_cast<double>(spec.classes));
}

}  // namespace paceline
