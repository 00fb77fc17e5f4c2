// U-Net: in two dimensions as the original with padding and batch norms; in three as MLPerf's training
// benchmark on kidney tumours (after Isensee et al. 2018), with strided convolutions and instance norms.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

class Unet {
 public:
  explicit Unet(const UnetSpec& spec)
      : spec_(spec), writer_(spec.inputs, spec.image, spec.image, spec.volume ? spec.image : 1) {}

  Model build() {
    std::vector<FeatureMap> levels{pair("inc", writer_.image(), spec_.channels.front(), 1)};
    for (std::size_t level = 1; level < spec_.channels.size(); ++level)
      levels.push_back(down(fmt::format("down{}", level), levels.back(), spec_.channels[level]));
    FeatureMap map = levels.back();
    for (std::size_t level = levels.size() - 1; level > 0; --level)
      map = up(fmt::format("up{}", levels.size() - level), map, levels[level - 1]);
    map = writer_.convolution("outc", map, spec_.classes, Window::valid(1), 1, true);
    writer_.add_modules(2 * static_cast<std::int64_t>(levels.size()));
    return writer_.finish(map.elements());
  }

 private:
  FeatureMap pair(const std::string& name, const FeatureMap& input, std::int64_t channels,
                  std::int64_t stride) {
    const FeatureMap first = convolution(name + ".0", input, channels, stride);
    return convolution(name + ".1", first, channels, 1);
  }

  FeatureMap convolution(const std::string& name, const FeatureMap& input, std::int64_t channels,
                         std::int64_t stride) {
    FeatureMap map = writer_.convolution(name + ".conv", input, channels, Window::same(3, stride));
    map = spec_.volume ? writer_.instance_norm(name + ".norm", map) : writer_.batch_norm(name + ".norm", map);
    writer_.add_modules(1);
    return writer_.relu(name + ".relu", map);
  }

  FeatureMap down(const std::string& name, const FeatureMap& input, std::int64_t channels) {
    if (spec_.volume) return pair(name, input, channels, 2);
    return pair(name, writer_.max_pool(name + ".pool", input, Window::valid(2, 2)), channels, 1);
  }

  FeatureMap up(const std::string& name, const FeatureMap& input, const FeatureMap& beside) {
    const FeatureMap larger = writer_.up_convolution(name + ".up", input, beside.channels, 2);
    FeatureMap joined = writer_.concat(name + ".concat", {larger, beside});
    // Sides that are no multiple of the factor are padded to the map beside.
    joined.height = beside.height;
    joined.width = beside.width;
    joined.depth = beside.depth;
    return pair(name, joined, beside.channels, 1);
  }

  const UnetSpec& spec_;
  ConvolutionalWriter writer_;
};

}  // namespace

Model build_unet(const UnetSpec& spec) { return Unet(spec).build(); }

}  // namespace paceline
