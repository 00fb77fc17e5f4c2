#include "sim/cost/kernel/memory_time.h"

#include <array>

namespace paceline {
namespace {

// Passes over the tensor in its own format, and further bytes an element whatever the format.
struct Passes {
  double forward, backward, forward_bytes, backward_bytes;
};

constexpr std::array<Passes, 14> passes{{
    {2, 3, 0, 0},   // unary
    {3, 0, 0, 0},   // add
    {2, 1, 0, 0},   // bias
    {2, 2, 1, 1},   // dropout
    {2, 4, 0, 0},   // layer_norm: x, dy read, dx written, and both again for the parameters, in part
    {3, 5, 0, 0},   // batch_norm
    {2, 3, 0, 0},   // softmax
    {8, 12, 0, 0},  // eager_masked_softmax
    {1, 1, 4, 4},   // cross_entropy: logits read, fp32 log-softmax written; backward the other way
    {1, 2, 0, 0},   // fused_cross_entropy
    {2, 3, 0, 0},   // embedding
    {2, 2, 0, 0},   // permute
    {2, 2, 0, 0},   // rotary
    {3, 5, 0, 0},   // gated_unary: gate and up read, product written
}};

}  // namespace

Seconds memory_time(const MemoryRates& rates, Bytes bytes, double kernels) {
  return bytes / rates.rate + rates.start * kernels;
}

Bytes operator_traffic(MemoryOperator what, Direction direction, double elements, double element) {
  const Passes& each = passes[static_cast<std::size_t>(what)];
  const bool forward = direction == Direction::forward;
  return Bytes(elements * ((forward ? each.forward : each.backward) * element +
                           (forward ? each.forward_bytes : each.backward_bytes)));
}

Bytes cast_traffic(double elements, double from, double to) { return Bytes(elements * (from + to)); }

}  // namespace paceline
