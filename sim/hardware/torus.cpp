#include "sim/hardware/torus.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace paceline {
namespace {

// Of a message of one byte: what a device sends along dimension `wanted`, summed over the parts. Part i takes
// the dimensions in the order i, i+1, ..., and each step leaves 1/size of the part.
double sent_along(const Torus& torus, std::size_t wanted) {
  const std::size_t count = torus.size();
  double sent = 0;
  for (std::size_t part = 0; part < count; ++part) {
    double left = 1.0 / static_cast<double>(count);
    for (std::size_t step = 0; step < count; ++step) {
      const std::size_t at = (part + step) % count;
      const double size = torus[at].size;
      if (at == wanted) sent += left * (size - 1) / size;
      left /= size;
    }
  }
  return sent;
}

}  // namespace

int device_count(const Torus& torus) {
  return std::accumulate(torus.begin(), torus.end(), 1,
                         [](int count, const TorusDimension& dimension) { return count * dimension.size; });
}

BytesPerSecond torus_ring_rate(const Torus& torus) {
  Torus used;
  for (const TorusDimension& dimension : torus)
    if (dimension.size > 1) used.push_back(dimension);
  double slowest = 0;
  for (std::size_t at = 0; at < used.size(); ++at) {
    const double ways = used[at].wrap && used[at].size > 2 ? 2 : 1;
    slowest = std::max(slowest, sent_along(used, at) / (ways * used[at].rate.value()));
  }
  const double devices = device_count(used);
  return BytesPerSecond(slowest > 0 ? (devices - 1) / devices / slowest : 0);
}

Torus leading_box(const Torus& torus, int devices) {
  Torus box;
  int left = devices;
  for (TorusDimension dimension : torus) {
    if (left == 1) break;
    if (left < dimension.size) {
      dimension.size = left;
      dimension.wrap = false;
    }
    if (left % dimension.size != 0) return {};
    left /= dimension.size;
    box.push_back(dimension);
  }
  return left == 1 ? box : Torus{};
}

}  // namespace paceline
