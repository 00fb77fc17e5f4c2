// What holds for the buckets and chunks of any model.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/strategy/buckets.h"

namespace paceline {
namespace {

// Linear layers with a bias each, tensors from 4 B to 16 MiB.
Model random_model() {
  Model model;
  const auto layers = *rc::gen::inRange(1, 40);
  for (int layer = 0; layer < layers; ++layer) {
    const auto elements = std::int64_t{1} << *rc::gen::inRange(0, 23);
    const std::size_t first = model.parameters.size();
    model.parameters.push_back({"weight", elements + *rc::gen::inRange(0, 1000)});
    model.parameters.push_back({"bias", *rc::gen::inRange(1, 4096)});
    model.layers.push_back({.name = "linear", .work = Linear{}, .parameters = {first, first + 1}});
  }
  return model;
}

double bytes_of(const Model& model, std::size_t parameter) {
  return 4 * static_cast<double>(model.parameters[parameter].elements);
}

double largest(const Model& model) {
  double most = 0;
  for (std::size_t parameter = 0; parameter < model.parameters.size(); ++parameter)
    most = std::max(most, bytes_of(model, parameter));
  return most;
}

// Every parameter in one place, and each group's bytes those of its parameters.
void assert_partition(const Model& model, const std::vector<Bucket>& groups) {
  std::vector<int> times(model.parameters.size());
  for (const Bucket& group : groups) {
    double bytes = 0;
    for (const std::size_t parameter : group.parameters) {
      ++times[parameter];
      bytes += bytes_of(model, parameter);
    }
    RC_ASSERT(!group.parameters.empty());
    RC_ASSERT(group.bytes.value() == bytes);
  }
  RC_ASSERT(std::all_of(times.begin(), times.end(), [](int each) { return each == 1; }));
}

// limit <= bytes <= limit + largest tensor - 1 for all but the last, which may be smaller.
RC_GTEST_PROP(Grouping, BucketsOvershootByLessThanTheLargestTensor, ()) {
  const Model model = random_model();
  const double first = *rc::gen::inRange(1, 1 << 24), cap = *rc::gen::inRange(1, 1 << 26);
  const bool unused = *rc::gen::arbitrary<bool>();
  auto buckets = gradient_buckets(model, unused, Bytes(first), Bytes(cap));
  assert_partition(model, buckets);
  if (unused) std::reverse(buckets.begin(), buckets.end());
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    const double limit = bucket == 0 ? first : cap;
    RC_ASSERT(buckets[bucket].bytes.value() <= limit + largest(model) - 1);
    RC_ASSERT(bucket + 1 == buckets.size() || buckets[bucket].bytes.value() >= limit);
  }
}

RC_GTEST_PROP(Grouping, ALowerCapNeverMakesFewerBuckets, ()) {
  const Model model = random_model();
  const double cap = *rc::gen::inRange(2, 1 << 26);
  const auto count = [&](double limit) {
    return assign_buckets(model, gradient_ready_order(model), Bytes(limit), Bytes(limit), 4).size();
  };
  RC_ASSERT(count(cap / 2) >= count(cap));
}

RC_GTEST_PROP(Grouping, ChunksAreAsFullAsTheirRuleSays, ()) {
  const Model model = random_model();
  const double limit = 10485760;
  const auto broadcast = broadcast_chunks(model), reduce = reduce_chunks(model);
  assert_partition(model, broadcast);
  assert_partition(model, reduce);
  for (std::size_t chunk = 0; chunk + 1 < broadcast.size(); ++chunk)
    RC_ASSERT(broadcast[chunk].bytes.value() >= limit);
  for (std::size_t chunk = 0; chunk < reduce.size(); ++chunk) {
    RC_ASSERT(reduce[chunk].bytes.value() <= limit || reduce[chunk].parameters.size() == 1);
    if (chunk + 1 < reduce.size())
      RC_ASSERT(reduce[chunk].bytes.value() + bytes_of(model, reduce[chunk + 1].parameters.front()) > limit);
  }
}

RC_GTEST_PROP(Grouping, ScatterKeepsTheBatch, ()) {
  const auto batch = *rc::gen::inRange(1, 5000), devices = *rc::gen::inRange(1, 100);
  const auto parts = scatter_batch(batch, devices);
  RC_ASSERT(std::accumulate(parts.begin(), parts.end(), 0) == batch);
  RC_ASSERT(parts.size() <= static_cast<std::size_t>(devices));
  for (std::size_t part = 0; part + 1 < parts.size(); ++part)
    RC_ASSERT(parts[part] == (batch + devices - 1) / devices);
  RC_ASSERT(parts.back() >= 1);
  RC_ASSERT(parts.back() <= parts.front());
}

}  // namespace
}  // namespace paceline
