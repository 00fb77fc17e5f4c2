// What CUDA hands out, each released by its destructor. A failing release is not reported: the call that
// broke the device already has been.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "probe/cuda/cuda_call.h"

namespace paceline {

struct DeviceFree {
  void operator()(void* memory) const { cudaFree(memory); }
};
struct PinnedFree {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};
struct StreamDestroy {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};
struct EventDestroy {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
struct BlasDestroy {
  void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
};

using DeviceBuffer = std::unique_ptr<void, DeviceFree>;
using PinnedBuffer = std::unique_ptr<void, PinnedFree>;
using Stream = std::unique_ptr<CUstream_st, StreamDestroy>;
using Event = std::unique_ptr<CUevent_st, EventDestroy>;
using Blas = std::unique_ptr<cublasContext, BlasDestroy>;

inline DeviceBuffer device_buffer(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return DeviceBuffer(memory);
}

inline PinnedBuffer pinned_buffer(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes), "cudaMallocHost");
  return PinnedBuffer(memory);
}

inline Stream new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

inline Event new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

inline Blas new_blas(cudaStream_t stream) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  Blas blas(handle);
  check(cublasSetStream(handle, stream), "cublasSetStream");
  return blas;
}

}  // namespace paceline
