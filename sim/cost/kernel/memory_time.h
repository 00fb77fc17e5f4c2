// Time of kernels that only move data, and the bytes that each operator must move.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "sim/cost/kernel/direction.h"

namespace paceline {

struct MemoryRates {
  BytesPerSecond rate;  // what streaming kernels reach
  Seconds start;        // ramp-up and drain of one kernel
};

// bytes / rate + kernels x start.
[[nodiscard]] Seconds memory_time(const MemoryRates& rates, Bytes bytes, double kernels = 1);

enum class MemoryOperator : std::uint8_t {
  unary,                 // GELU, SiLU, tanh: read, write; backward reads the input and the gradient
  add,                   // of two tensors; its gradient passes through
  bias,                  // added in place of the sum; backward reduces the gradient
  dropout,               // with a byte of mask an element
  layer_norm,            // one read that fits in registers; backward with the parameters' gradients
  batch_norm,            // statistics, then the values: two reads
  softmax,               // scale and mask in the same kernel
  eager_masked_softmax,  // scale, mask, softmax and casts, each a kernel of its own
  cross_entropy,         // log-softmax kept in fp32, then the likelihood
  fused_cross_entropy,   // statistics only; the gradient overwrites the logits
  embedding,             // rows gathered; backward adds them to the table
  permute,               // dispatch to experts and back, head transposes: a copy
  rotary,                // query and key turned in place
  gated_unary            // SwiGLU: elements are those of the product
};

// Bytes read and written over `elements` of `element` bytes, in one direction.
[[nodiscard]] Bytes operator_traffic(MemoryOperator what, Direction direction, double elements,
                                     double element);

// A copy from one number format into another.
[[nodiscard]] Bytes cast_traffic(double elements, double from, double to);

}  // namespace paceline
