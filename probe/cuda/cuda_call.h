// Each CUDA and cuBLAS call goes through `check`, which turns a failure into a DeviceError.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

namespace paceline {

// `api` is the name of the function that returned `status`.
void check(cudaError_t status, const char* api);
void check(cublasStatus_t status, const char* api);

}  // namespace paceline
