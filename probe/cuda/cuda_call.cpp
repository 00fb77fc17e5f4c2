#include "probe/cuda/cuda_call.h"

#include <string>

#include "base/error.h"

namespace paceline {
namespace {

const char* remedy_for(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorStubLibrary:
      return "install the NVIDIA driver that fits the GPU and this CUDA version, check CUDA_VISIBLE_DEVICES, "
             "or use "
             "--device cpu";
    case cudaErrorMemoryAllocation:
      return "end the other programs on the device or use --quick";
    case cudaErrorNoKernelImageForDevice:
      return "build with CMAKE_CUDA_ARCHITECTURES for this device";
    default:
      return "see nvidia-smi and the system log";
  }
}

}  // namespace

void check(cudaError_t status, const char* api) {
  if (status == cudaSuccess) return;
  throw DeviceError(api, std::string(cudaGetErrorName(status)) + ", " + cudaGetErrorString(status),
                    remedy_for(status));
}

void check(cublasStatus_t status, const char* api) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(api, std::string(cublasGetStatusName(status)) + ", " + cublasGetStatusString(status),
                    "check that cuBLAS, the driver and the device fit together");
}

}  // namespace paceline
