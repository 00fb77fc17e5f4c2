// VGG without batch norm (Simonyan and Zisserman 2014), as torchvision registers it.
#include <fmt/format.h>

#include <algorithm>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

constexpr std::int64_t widest = 512;
constexpr std::int64_t classifier_width = 4096;
constexpr std::int64_t pooled_size = 7;

FeatureMap classifier(ConvolutionalWriter& writer, FeatureMap map, std::int64_t classes) {
  for (int layer = 0; layer < 2; ++layer) {
    map = writer.linear(fmt::format("classifier.{}", 3 * layer), map, classifier_width);
    map = writer.relu(fmt::format("classifier.{}", 3 * layer + 1), map);
    map = writer.dropout(fmt::format("classifier.{}", 3 * layer + 2), map);
  }
  writer.add_modules(4);
  return writer.linear("classifier.6", map, classes);
}

}  // namespace

Model build_vgg(const VggSpec& spec) {
  ConvolutionalWriter writer(3, spec.image, spec.image);
  FeatureMap map = writer.image();
  int position = 0;  // in the Sequential of features
  const auto next_name = [&position] { return fmt::format("features.{}", position++); };
  std::int64_t channels = 64;
  for (const std::int64_t convolutions : spec.convolutions) {
    for (std::int64_t index = 0; index < convolutions; ++index) {
      map = writer.convolution(next_name(), map, channels, Window::same(3), 1, true);
      map = writer.relu(next_name(), map);
      writer.add_modules(1);
    }
    map = writer.max_pool(next_name(), map, Window::valid(2, 2));
    writer.add_modules(1);
    channels = std::min(2 * channels, widest);
  }
  map = writer.average_pool_to("avgpool", map, pooled_size);
  classifier(writer, map, spec.classes);
  writer.add_modules(4);  // the net, features, avgpool, classifier
  return writer.finish(static_cast<double>(spec.classes));
}

}  // namespace paceline
