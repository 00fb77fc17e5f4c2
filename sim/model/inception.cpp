// Inception v3 without the auxiliary head (Szegedy et al. 2015), as torchvision registers it with
// aux_logits=False.
#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {
namespace {

class Inception {
 public:
  explicit Inception(const InceptionSpec& spec) : spec_(spec), writer_(3, spec.image, spec.image) {}

  Model build() {
    FeatureMap map = stem();
    map = block_a("Mixed_5b", map, 32);
    map = block_a("Mixed_5c", map, 64);
    map = block_a("Mixed_5d", map, 64);
    map = block_b("Mixed_6a", map);
    map = block_c("Mixed_6b", map, 128);
    map = block_c("Mixed_6c", map, 160);
    map = block_c("Mixed_6d", map, 160);
    map = block_c("Mixed_6e", map, 192);
    map = block_d("Mixed_7a", map);
    map = block_e("Mixed_7b", map);
    map = block_e("Mixed_7c", map);
    map = writer_.dropout("dropout", writer_.average_pool_to("avgpool", map, 1));
    writer_.linear("fc", map, spec_.classes);
    writer_.add_modules(5);  // the net, both max-poolings of the stem, average pooling, dropout
    return writer_.finish(static_cast<double>(spec_.classes));
  }

 private:
  // Convolution, batch norm, ReLU; the ReLU is a function, not a module.
  FeatureMap unit(const std::string& name, const FeatureMap& input, std::int64_t outputs,
                  const Window& window) {
    const FeatureMap map = writer_.convolution(name + ".conv", input, outputs, window);
    writer_.add_modules(1);
    return writer_.relu(name + ".relu", writer_.batch_norm(name + ".bn", map));
  }

  FeatureMap stem() {
    FeatureMap map = unit("Conv2d_1a_3x3", writer_.image(), 32, Window::valid(3, 2));
    map = unit("Conv2d_2a_3x3", map, 32, Window::valid(3));
    map = unit("Conv2d_2b_3x3", map, 64, Window::same(3));
    map = writer_.max_pool("maxpool1", map, Window::valid(3, 2));
    map = unit("Conv2d_3b_1x1", map, 80, Window::valid(1));
    map = unit("Conv2d_4a_3x3", map, 192, Window::valid(3));
    return writer_.max_pool("maxpool2", map, Window::valid(3, 2));
  }

  FeatureMap pooled_unit(const std::string& name, const FeatureMap& input, std::int64_t outputs) {
    const FeatureMap pooled = writer_.average_pool(name + ".avgpool", input, Window::same(3));
    return unit(name + ".branch_pool", pooled, outputs, Window::valid(1));
  }

  FeatureMap block_a(const std::string& name, const FeatureMap& input, std::int64_t pool_features) {
    const FeatureMap first = unit(name + ".branch1x1", input, 64, Window::valid(1));
    FeatureMap second = unit(name + ".branch5x5_1", input, 48, Window::valid(1));
    second = unit(name + ".branch5x5_2", second, 64, Window::same(5));
    FeatureMap third = unit(name + ".branch3x3dbl_1", input, 64, Window::valid(1));
    third = unit(name + ".branch3x3dbl_2", third, 96, Window::same(3));
    third = unit(name + ".branch3x3dbl_3", third, 96, Window::same(3));
    const FeatureMap pooled = pooled_unit(name, input, pool_features);
    return join(name, {first, second, third, pooled});
  }

  FeatureMap block_b(const std::string& name, const FeatureMap& input) {
    const FeatureMap first = unit(name + ".branch3x3", input, 384, Window::valid(3, 2));
    FeatureMap second = unit(name + ".branch3x3dbl_1", input, 64, Window::valid(1));
    second = unit(name + ".branch3x3dbl_2", second, 96, Window::same(3));
    second = unit(name + ".branch3x3dbl_3", second, 96, Window::valid(3, 2));
    const FeatureMap pooled = writer_.max_pool(name + ".maxpool", input, Window::valid(3, 2));
    return join(name, {first, second, pooled});
  }

  FeatureMap block_c(const std::string& name, const FeatureMap& input, std::int64_t width) {
    const Window row = Window::oblong(1, 7);
    const Window column = Window::oblong(7, 1);
    const FeatureMap first = unit(name + ".branch1x1", input, 192, Window::valid(1));
    FeatureMap second = unit(name + ".branch7x7_1", input, width, Window::valid(1));
    second = unit(name + ".branch7x7_2", second, width, row);
    second = unit(name + ".branch7x7_3", second, 192, column);
    FeatureMap third = unit(name + ".branch7x7dbl_1", input, width, Window::valid(1));
    third = unit(name + ".branch7x7dbl_2", third, width, column);
    third = unit(name + ".branch7x7dbl_3", third, width, row);
    third = unit(name + ".branch7x7dbl_4", third, width, column);
    third = unit(name + ".branch7x7dbl_5", third, 192, row);
    const FeatureMap pooled = pooled_unit(name, input, 192);
    return join(name, {first, second, third, pooled});
  }

  FeatureMap block_d(const std::string& name, const FeatureMap& input) {
    FeatureMap first = unit(name + ".branch3x3_1", input, 192, Window::valid(1));
    first = unit(name + ".branch3x3_2", first, 320, Window::valid(3, 2));
    FeatureMap second = unit(name + ".branch7x7x3_1", input, 192, Window::valid(1));
    second = unit(name + ".branch7x7x3_2", second, 192, Window::oblong(1, 7));
    second = unit(name + ".branch7x7x3_3", second, 192, Window::oblong(7, 1));
    second = unit(name + ".branch7x7x3_4", second, 192, Window::valid(3, 2));
    const FeatureMap pooled = writer_.max_pool(name + ".maxpool", input, Window::valid(3, 2));
    return join(name, {first, second, pooled});
  }

  FeatureMap block_e(const std::string& name, const FeatureMap& input) {
    const FeatureMap first = unit(name + ".branch1x1", input, 320, Window::valid(1));
    const FeatureMap second = unit(name + ".branch3x3_1", input, 384, Window::valid(1));
    const FeatureMap wide = fork(name, ".branch3x3_2", ".branch3x3", second);
    FeatureMap third = unit(name + ".branch3x3dbl_1", input, 448, Window::valid(1));
    third = unit(name + ".branch3x3dbl_2", third, 384, Window::same(3));
    const FeatureMap deep = fork(name, ".branch3x3dbl_3", ".branch3x3dbl", third);
    const FeatureMap pooled = pooled_unit(name, input, 192);
    return join(name, {first, wide, deep, pooled});
  }

  // A 1x3 and a 3x1 convolution side by side, joined.
  FeatureMap fork(const std::string& name, const std::string& unit_name, const std::string& joined_name,
                  const FeatureMap& input) {
    const FeatureMap row = unit(name + unit_name + "a", input, 384, Window::oblong(1, 3));
    const FeatureMap column = unit(name + unit_name + "b", input, 384, Window::oblong(3, 1));
    return writer_.concat(name + joined_name + ".concat", {row, column});
  }

  FeatureMap join(const std::string& name, const std::vector<FeatureMap>& branches) {
    writer_.add_modules(1);  // the block
    return writer_.concat(name + ".concat", branches);
  }

  const InceptionSpec& spec_;
  ConvolutionalWriter writer_;
};

}  // namespace

Model build_inception(const InceptionSpec& spec) { return Inception(spec).build(); }

}  // namespace paceline
