// Our own kernels, launched by plain functions so that only kernels.cu needs the CUDA compiler (C++17).
#pragma once

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstddef>

namespace paceline {

// One pass each over arrays of `count` double2 (16 bytes). `sink` is written only if the sum is one that it
// never is.
cudaError_t launch_read(const double2* values, std::size_t count, double* sink, cudaStream_t stream);
cudaError_t launch_write(double2* values, std::size_t count, cudaStream_t stream);
cudaError_t launch_copy(double2* to, const double2* from, std::size_t count, cudaStream_t stream);
cudaError_t launch_triad(double2* to, const double2* a, const double2* b, std::size_t count,
                         cudaStream_t stream);

cudaError_t launch_empty(cudaStream_t stream);
// One thread that spins for `cycles` of the SM clock.
cudaError_t launch_spin(long long cycles, cudaStream_t stream);

// Repeatable numbers, uniform in (-scale, scale), of type CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF.
cudaError_t launch_fill(void* values, std::size_t count, cudaDataType type, unsigned seed, float scale,
                        cudaStream_t stream);
cudaError_t launch_to_float(float* to, const void* from, std::size_t count, cudaDataType type,
                            cudaStream_t stream);

}  // namespace paceline
