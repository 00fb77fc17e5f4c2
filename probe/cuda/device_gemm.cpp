#include "probe/cuda/device_gemm.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "probe/cuda/kernels.h"

namespace paceline {
namespace {

struct Precision {
  const char* name;
  cudaDataType type;
  cublasComputeType_t compute;
  std::size_t element_bytes;
  double tolerance;  // of a result, relative to the sum of |a b|: the rounding of inputs (tf32) and of the
                     // output
};

constexpr Precision precisions[] = {
    {"fp32", CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, 1e-5},
    {"tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4, 2e-3},
    {"fp16", CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, 1e-3},
    {"bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, 8e-3},
};

struct Shape {
  int m, n, k, batch;
};

std::vector<Shape> shapes_for(bool quick) {
  if (quick) {
    return {{512, 512, 512, 1},    {1024, 1024, 1024, 1}, {2048, 2048, 2048, 1}, {4096, 4096, 4096, 1},
            {8192, 8192, 8192, 1}, {16, 4096, 4096, 1},   {4096, 64, 4096, 1},   {1024, 1024, 64, 32}};
  }
  return {{256, 256, 256, 1},    {512, 512, 512, 1},    {1024, 1024, 1024, 1}, {2048, 2048, 2048, 1},
          {4096, 4096, 4096, 1}, {8192, 8192, 8192, 1}, {1, 8192, 8192, 1},    {16, 4096, 4096, 1},
          {128, 4096, 4096, 1},  {4096, 64, 4096, 1},   {8192, 4096, 1024, 1}, {2048, 12288, 4096, 1},
          {1024, 1024, 64, 32},  {2048, 2048, 128, 64}, {2048, 128, 2048, 64}};
}

// Row-major operands on the device, filled with small numbers.
class Operands {
 public:
  Operands(const Precision& precision, Shape shape, cudaStream_t stream)
      : precision_(precision),
        shape_(shape),
        a_(device_buffer(count_a() * precision.element_bytes)),
        b_(device_buffer(count_b() * precision.element_bytes)),
        c_(device_buffer(count_c() * precision.element_bytes)) {
    // Scaled so that C grows by less than 1 a product and thousands of products stay inside fp16.
    const float scale = 1 / std::sqrt(static_cast<float>(shape.k));
    check(launch_fill(a_.get(), count_a(), precision.type, 1, 1.0F, stream), "fill kernel");
    check(launch_fill(b_.get(), count_b(), precision.type, 2, scale, stream), "fill kernel");
    check(launch_fill(c_.get(), count_c(), precision.type, 3, 1.0F, stream), "fill kernel");
  }

  // cuBLAS is column-major: C^T += B^T A^T there is C += A B here.
  void multiply(cublasHandle_t blas) const {
    const auto [m, n, k, batch] = shape_;
    const float one = 1;
    const cudaDataType type = precision_.type;
    if (batch == 1) {
      check(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b_.get(), type, n, a_.get(), type, k,
                         &one, c_.get(), type, n, precision_.compute, CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx");
      return;
    }
    const long long wide_m = m;
    const long long wide_n = n;
    check(cublasGemmStridedBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b_.get(), type, n,
                                     wide_n * k, a_.get(), type, k, wide_m * k, &one, c_.get(), type, n,
                                     wide_m * n, batch, precision_.compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx");
  }

  [[nodiscard]] std::vector<float> host_a(const CudaDevice& device) const {
    return on_host(device, a_, count_a());
  }
  [[nodiscard]] std::vector<float> host_b(const CudaDevice& device) const {
    return on_host(device, b_, count_b());
  }
  [[nodiscard]] std::vector<float> host_c(const CudaDevice& device) const {
    return on_host(device, c_, count_c());
  }

 private:
  [[nodiscard]] std::size_t count(int rows, int columns) const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
           static_cast<std::size_t>(shape_.batch);
  }
  [[nodiscard]] std::size_t count_a() const { return count(shape_.m, shape_.k); }
  [[nodiscard]] std::size_t count_b() const { return count(shape_.k, shape_.n); }
  [[nodiscard]] std::size_t count_c() const { return count(shape_.m, shape_.n); }

  [[nodiscard]] std::vector<float> on_host(const CudaDevice& device, const DeviceBuffer& buffer,
                                           std::size_t elements) const {
    const DeviceBuffer floats = device_buffer(elements * sizeof(float));
    check(launch_to_float(static_cast<float*>(floats.get()), buffer.get(), elements, precision_.type,
                          device.stream()),
          "conversion kernel");
    device.wait();
    std::vector<float> values(elements);
    check(cudaMemcpy(values.data(), floats.get(), elements * sizeof(float), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return values;
  }

  const Precision& precision_;
  Shape shape_;
  DeviceBuffer a_, b_, c_;
};

// Compares every element with a loop in double over the same, already rounded inputs.
void check_product(const Precision& precision, cublasHandle_t blas, const CudaDevice& device) {
  constexpr std::size_t m = 64;
  constexpr std::size_t n = 48;
  constexpr std::size_t k = 80;
  const Operands operands(precision, {m, n, k, 1}, device.stream());
  const auto a = operands.host_a(device);
  const auto b = operands.host_b(device);
  const auto before = operands.host_c(device);
  operands.multiply(blas);
  const auto after = operands.host_c(device);
  for (std::size_t element = 0; element < m * n; ++element) {
    double expected = static_cast<double>(before[element]);
    double magnitude = std::abs(expected);
    for (std::size_t inner = 0; inner < k; ++inner) {
      const double product =
          static_cast<double>(a[element / n * k + inner]) * static_cast<double>(b[inner * n + element % n]);
      expected += product;
      magnitude += std::abs(product);
    }
    const double found = static_cast<double>(after[element]);
    if (std::abs(found - expected) <= precision.tolerance * magnitude) continue;
    throw DeviceError(fmt::format("cublasGemmEx {}", precision.name),
                      fmt::format("element ({}, {}) is {}, a loop on the host gives {}", element / n,
                                  element % n, found, expected),
                      "check the device's memory for errors (nvidia-smi -q -d ECC)");
  }
}

Bytes bytes_of(const Precision& precision, Shape shape) {
  const double m = shape.m;
  const double n = shape.n;
  const double k = shape.k;
  return Bytes((m * k + k * n + m * n) * shape.batch * static_cast<double>(precision.element_bytes));
}

void measure_precision(const Precision& precision, cublasHandle_t blas, const ProbeRun& run,
                       const CudaDevice& device, Profile& profile) {
  check_product(precision, blas, device);
  for (const Shape shape : shapes_for(run.request.quick)) {
    if (bytes_of(precision, shape) > std::min(run.request.memory_limit, device.free_memory() / 2)) continue;
    const Operands operands(precision, shape, device.stream());
    const std::string what =
        fmt::format("gemm {} {}x{}x{} x{}", precision.name, shape.m, shape.n, shape.k, shape.batch);
    const TimedRun products = device.timed([&](cudaStream_t) { operands.multiply(blas); });
    profile.gemms.push_back(
        {precision.name, shape.m, shape.n, shape.k, shape.batch, run.measured(what, products)});
  }
}

}  // namespace

void measure_device_gemms(const ProbeRun& run, const CudaDevice& device, Profile& profile) {
  const Blas blas = new_blas(device.stream());
  const double clock_before = device.sm_megahertz();
  for (const Precision& precision : precisions) {
    const bool needs_ampere =
        precision.type == CUDA_R_16BF || precision.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    if (needs_ampere && !device.has_tf32_and_bf16()) continue;
    measure_precision(precision, blas.get(), run, device, profile);
  }
  profile.notes.push_back(
      fmt::format("SM clock {:.0f} MHz before the matrix products, {:.0f} MHz right after, {:.0f} "
                  "MHz at most",
                  clock_before, device.sm_megahertz(), device.most_sm_megahertz()));
}

}  // namespace paceline
