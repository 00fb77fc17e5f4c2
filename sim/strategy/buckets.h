// How PyTorch groups tensors for communication: DDP's gradient buckets and nn.DataParallel's chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/quantity.h"
#include "sim/model/model.h"
#include "sim/strategy/strategy.h"

namespace paceline {

// A group of parameter tensors, by index into Model::parameters, in the order in which they are packed.
struct Bucket {
  std::vector<std::size_t> parameters;
  Bytes bytes;
};

// The order in which gradients become ready: layers backwards; within a layer the bias of a linear layer
// comes before its weight, the weight of a normalisation before its bias, the look-ups of an embedding
// backwards. Every parameter stands once.
[[nodiscard]] std::vector<std::size_t> gradient_ready_order(const Model& model);

// compute_bucket_assignment_by_size for one dtype and device: a tensor is added first, then the bucket closes
// if it has reached the current limit; limits are `first`, then `cap`. Buckets overshoot; tensors are never
// split.
[[nodiscard]] std::vector<Bucket> assign_buckets(const Model& model, const std::vector<std::size_t>& order,
                                                 Bytes first, Bytes cap, double bytes_per_element);

// Whether buckets are rebuilt in ready order after the first iteration.
[[nodiscard]] bool rebuilds_buckets(const Strategy& strategy);

// From the second iteration on: in ready order. With unused parameters looked for: in registration order,
// reversed.
[[nodiscard]] std::vector<Bucket> gradient_buckets(const Model& model, bool find_unused_parameters,
                                                   Bytes first, Bytes cap, double bytes_per_element = 4);
// The first iteration's: everything in one bucket.
[[nodiscard]] std::vector<Bucket> first_iteration_buckets(const Model& model, double bytes_per_element = 4);

// DDP's broadcasts of running statistics before forward: the floats, then the 64-bit counters, in pieces of
// at most `limit`.
[[nodiscard]] std::vector<Bytes> buffer_broadcasts(const Model& model, Bytes limit);

// Chunks of nn.DataParallel, 10 MiB: the broadcast closes a chunk when it has reached the limit, the
// reduction before it would exceed it. Both take parameters in registration order.
[[nodiscard]] std::vector<Bucket> broadcast_chunks(const Model& model);
[[nodiscard]] std::vector<Bucket> reduce_chunks(const Model& model);

// tensor.chunk(n): parts of ceil(batch / n), the last one smaller, possibly fewer than n parts.
[[nodiscard]] std::vector<int> scatter_batch(int batch, int devices);

}  // namespace paceline
