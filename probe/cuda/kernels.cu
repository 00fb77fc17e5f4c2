#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "probe/cuda/kernels.h"

namespace paceline {
namespace {

constexpr unsigned threads = 256;

// Enough blocks to fill any device; each thread strides over the rest.
unsigned blocks_for(std::size_t count) {
  constexpr std::size_t most = 16384;
  const std::size_t needed = (count + threads - 1) / threads;
  return static_cast<unsigned>(needed < most ? needed : most);
}

__device__ std::size_t first_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t stride() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

__global__ void read_kernel(const double2* values, std::size_t count, double* sink) {
  double sum = 0;
  for (std::size_t i = first_index(); i < count; i += stride()) sum += values[i].x + values[i].y;
  if (sum == -1.25) *sink = sum;
}

__global__ void write_kernel(double2* values, std::size_t count) {
  for (std::size_t i = first_index(); i < count; i += stride()) values[i] = make_double2(1.5, 1.5);
}

__global__ void copy_kernel(double2* to, const double2* from, std::size_t count) {
  for (std::size_t i = first_index(); i < count; i += stride()) to[i] = from[i];
}

__global__ void triad_kernel(double2* to, const double2* a, const double2* b, std::size_t count) {
  for (std::size_t i = first_index(); i < count; i += stride())
    to[i] = make_double2(a[i].x + 0.5 * b[i].x, a[i].y + 0.5 * b[i].y);
}

__global__ void empty_kernel() {}

__global__ void spin_kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// An integer hash: neighbours get unrelated numbers, and the same index always the same one.
__device__ float uniform(unsigned index, unsigned seed) {
  unsigned bits = index * 0x9E3779B9u + seed * 0x85EBCA6Bu;
  bits = (bits ^ (bits >> 16)) * 0x7FEB352Du;
  bits = (bits ^ (bits >> 15)) * 0x846CA68Bu;
  bits ^= bits >> 16;
  return static_cast<float>(bits >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

template <class Real>
__global__ void fill_kernel(Real* values, std::size_t count, unsigned seed, float scale) {
  for (std::size_t i = first_index(); i < count; i += stride())
    values[i] = static_cast<Real>(scale * uniform(static_cast<unsigned>(i), seed));
}

template <class Real>
__global__ void to_float_kernel(float* to, const Real* from, std::size_t count) {
  for (std::size_t i = first_index(); i < count; i += stride()) to[i] = static_cast<float>(from[i]);
}

// Calls `use` with a null pointer of the element type of `type`.
template <class Use>
cudaError_t with_type(cudaDataType type, Use use) {
  if (type == CUDA_R_32F) {
    use(static_cast<float*>(nullptr));
  } else if (type == CUDA_R_16F) {
    use(static_cast<__half*>(nullptr));
  } else if (type == CUDA_R_16BF) {
    use(static_cast<__nv_bfloat16*>(nullptr));
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_read(const double2* values, std::size_t count, double* sink, cudaStream_t stream) {
  read_kernel<<<blocks_for(count), threads, 0, stream>>>(values, count, sink);
  return cudaGetLastError();
}

cudaError_t launch_write(double2* values, std::size_t count, cudaStream_t stream) {
  write_kernel<<<blocks_for(count), threads, 0, stream>>>(values, count);
  return cudaGetLastError();
}

cudaError_t launch_copy(double2* to, const double2* from, std::size_t count, cudaStream_t stream) {
  copy_kernel<<<blocks_for(count), threads, 0, stream>>>(to, from, count);
  return cudaGetLastError();
}

cudaError_t launch_triad(double2* to, const double2* a, const double2* b, std::size_t count,
                         cudaStream_t stream) {
  triad_kernel<<<blocks_for(count), threads, 0, stream>>>(to, a, b, count);
  return cudaGetLastError();
}

cudaError_t launch_empty(cudaStream_t stream) {
  empty_kernel<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t launch_spin(long long cycles, cudaStream_t stream) {
  spin_kernel<<<1, 1, 0, stream>>>(cycles);
  return cudaGetLastError();
}

cudaError_t launch_fill(void* values, std::size_t count, cudaDataType type, unsigned seed, float scale,
                        cudaStream_t stream) {
  return with_type(type, [&](auto* typed) {
    fill_kernel<<<blocks_for(count), threads, 0, stream>>>(static_cast<decltype(typed)>(values), count, seed,
                                                           scale);
  });
}

cudaError_t launch_to_float(float* to, const void* from, std::size_t count, cudaDataType type,
                            cudaStream_t stream) {
  return with_type(type, [&](auto* typed) {
    const auto* source = static_cast<decltype(typed)>(const_cast<void*>(from));
    to_float_kernel<<<blocks_for(count), threads, 0, stream>>>(to, source, count);
  });
}

}  // namespace paceline
