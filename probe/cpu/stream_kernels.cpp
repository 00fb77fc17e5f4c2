#include "probe/cpu/stream_kernels.h"

#include <bit>
#include <numeric>

// Compiled for several vector widths and chosen when the program starts, so that one binary measures every
// machine as its own compiler would. Sanitizers cannot instrument the code that chooses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PACELINE_SANITIZED)
#define PACELINE_FOR_EACH_VECTOR_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PACELINE_FOR_EACH_VECTOR_WIDTH
#endif

namespace paceline {

// Sums bit patterns as integers, in lanes: adding doubles in order would be bound by the latency of the
// adder.
PACELINE_FOR_EACH_VECTOR_WIDTH
std::uint64_t stream_read(const double* values, std::size_t count) {
  constexpr std::size_t lanes = 32;
  std::uint64_t sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += std::bit_cast<std::uint64_t>(values[i + lane]);
  }
  for (; i < count; ++i) sums[0] += std::bit_cast<std::uint64_t>(values[i]);
  return std::accumulate(sums, sums + lanes, std::uint64_t{0});
}

PACELINE_FOR_EACH_VECTOR_WIDTH
void stream_write(double* values, std::size_t count, double value) {
  for (std::size_t i = 0; i < count; ++i) values[i] = value;
}

// Built with -fno-tree-loop-distribute-patterns: as a call of memcpy, which bypasses the cache for large
// sizes, this would measure the same as copies from host to host.
PACELINE_FOR_EACH_VECTOR_WIDTH
void stream_copy(double* __restrict to, const double* __restrict from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

PACELINE_FOR_EACH_VECTOR_WIDTH
void stream_triad(double* __restrict to, const double* __restrict a, const double* __restrict b,
                  double factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = a[i] + factor * b[i];
}

}  // namespace paceline
