// One pass over memory each: the loops of STREAM, and reading and writing alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paceline {

// Returns the sum, so that the compiler must read.
std::uint64_t stream_read(const double* values, std::size_t count);
void stream_write(double* values, std::size_t count, double value);
void stream_copy(double* to, const double* from, std::size_t count);
void stream_triad(double* to, const double* a, const double* b, double factor, std::size_t count);

}  // namespace paceline
