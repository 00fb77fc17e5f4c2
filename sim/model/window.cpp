#include "sim/model/convolutional_writer.h"

namespace paceline {

Window Window::same(std::int64_t kernel, std::int64_t stride) {
  return {.kernel_height = kernel,
          .kernel_width = kernel,
          .stride = stride,
          .padding_height = kernel / 2,
          .padding_width = kernel / 2};
}

Window Window::oblong(std::int64_t kernel_height, std::int64_t kernel_width) {
  return {.kernel_height = kernel_height,
          .kernel_width = kernel_width,
          .padding_height = kernel_height / 2,
          .padding_width = kernel_width / 2};
}

Window Window::valid(std::int64_t kernel, std::int64_t stride) {
  return {.kernel_height = kernel, .kernel_width = kernel, .stride = stride};
}

}  // namespace paceline
