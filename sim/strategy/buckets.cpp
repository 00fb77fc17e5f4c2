#include "sim/strategy/buckets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

namespace paceline {
namespace {

constexpr Bytes chunk_limit = mebibytes(10);

Bytes bytes_of(const Model& model, std::size_t parameter, double bytes_per_element) {
  return Bytes(static_cast<double>(model.parameters[parameter].elements) * bytes_per_element);
}

void append(std::vector<Bucket>& buckets, Bucket& open) {
  if (!open.parameters.empty()) buckets.push_back(std::move(open));
  open = {};
}

// Last registered, first ready: of a linear layer the bias; of several look-ups whose results are added up
// the one that was added last, so that a token embedding tied to the head comes at the very end.
bool is_ready_backwards(const Layer& layer) {
  if (const auto* traffic = std::get_if<Traffic>(&layer.work)) return traffic->what == "embedding";
  return std::holds_alternative<Linear>(layer.work) || std::holds_alternative<Convolution>(layer.work);
}

std::vector<std::size_t> registration_order(const Model& model) {
  std::vector<std::size_t> order(model.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

std::vector<std::size_t> gradient_ready_order(const Model& model) {
  std::vector<std::size_t> order;
  for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer) {
    if (is_ready_backwards(*layer))
      order.insert(order.end(), layer->parameters.rbegin(), layer->parameters.rend());
    else
      order.insert(order.end(), layer->parameters.begin(), layer->parameters.end());
  }
  return order;
}

std::vector<Bucket> assign_buckets(const Model& model, const std::vector<std::size_t>& order, Bytes first,
                                   Bytes cap, double bytes_per_element) {
  std::vector<Bucket> buckets;
  Bucket open;
  for (const std::size_t parameter : order) {
    open.parameters.push_back(parameter);
    open.bytes += bytes_of(model, parameter, bytes_per_element);
    if (open.bytes >= (buckets.empty() ? first : cap)) append(buckets, open);
  }
  append(buckets, open);
  return buckets;
}

bool rebuilds_buckets(const Strategy& strategy) {
  return strategy.static_graph || !strategy.find_unused_parameters;
}

std::vector<Bucket> gradient_buckets(const Model& model, bool find_unused_parameters, Bytes first, Bytes cap,
                                     double bytes_per_element) {
  if (!find_unused_parameters)
    return assign_buckets(model, gradient_ready_order(model), first, cap, bytes_per_element);
  auto buckets = assign_buckets(model, registration_order(model), first, cap, bytes_per_element);
  std::reverse(buckets.begin(), buckets.end());
  return buckets;
}

std::vector<Bucket> first_iteration_buckets(const Model& model, double bytes_per_element) {
  const Bytes no_limit(std::numeric_limits<double>::infinity());
  return assign_buckets(model, registration_order(model), no_limit, no_limit, bytes_per_element);
}

std::vector<Bytes> buffer_broadcasts(const Model& model, Bytes limit) {
  std::vector<Bytes> pieces;
  for (const double bytes : {4 * model.buffer_float_elements, 8 * model.buffer_integer_count}) {
    const double count = limit.value() > 0 ? std::ceil(bytes / limit.value()) : std::min(bytes, 1.0);
    for (double piece = 0; piece < count; ++piece) pieces.push_back(Bytes(bytes / count));
  }
  return pieces;
}

std::vector<Bucket> broadcast_chunks(const Model& model) {
  return assign_buckets(model, registration_order(model), chunk_limit, chunk_limit, 4);
}

std::vector<Bucket> reduce_chunks(const Model& model) {
  std::vector<Bucket> chunks;
  Bucket open;
  for (const std::size_t parameter : registration_order(model)) {
    const Bytes bytes = bytes_of(model, parameter, 4);
    if (open.bytes + bytes > chunk_limit) append(chunks, open);
    open.parameters.push_back(parameter);
    open.bytes += bytes;
  }
  append(chunks, open);
  return chunks;
}

std::vector<int> scatter_batch(int batch, int devices) {
  const int part = (batch + devices - 1) / devices;
  std::vector<int> parts;
  for (int left = batch; left > 0; left -= part) parts.push_back(std::min(part, left));
  return parts;
}

}  // namespace paceline
