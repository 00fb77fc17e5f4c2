#include "probe/cpu/gemm.h"

#include <cblas.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "base/error.h"

namespace paceline {
namespace {

template <class Real>
struct Operands {
  explicit Operands(GemmShape of) : shape(of) {
    // A fixed seed: the same input on every machine.
    std::mt19937_64 generator(20240501);
    std::uniform_real_distribution<Real> values(-1, 1);
    for (auto* matrix : {&a, &b, &c}) {
      const auto rows = static_cast<std::size_t>(matrix == &b ? shape.k : shape.m);
      const auto columns = static_cast<std::size_t>(matrix == &a ? shape.k : shape.n);
      matrix->resize(rows * columns);
      for (Real& value : *matrix) value = values(generator);
    }
  }

  GemmShape shape;
  std::vector<Real> a, b, c;  // row-major
};

template <class Real>
void multiply(Operands<Real>& operands) {
  const auto [m, n, k] = operands.shape;
  if constexpr (std::is_same_v<Real, float>) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, operands.a.data(), k,
                operands.b.data(), n, 1, operands.c.data(), n);
  } else {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, operands.a.data(), k,
                operands.b.data(), n, 1, operands.c.data(), n);
  }
}

// C[row, column] + A[row, :] B[:, column], summed in double.
template <class Real>
double expected_value(const Operands<Real>& operands, std::size_t row, std::size_t column) {
  const auto n = static_cast<std::size_t>(operands.shape.n);
  const auto k = static_cast<std::size_t>(operands.shape.k);
  double sum = static_cast<double>(operands.c[row * n + column]);
  for (std::size_t inner = 0; inner < k; ++inner)
    sum += static_cast<double>(operands.a[row * k + inner]) *
           static_cast<double>(operands.b[inner * n + column]);
  return sum;
}

template <class Real>
void check_product(const std::string& precision) {
  const Operands<Real> before({67, 45, 129});  // no multiple of any block size
  Operands<Real> after = before;
  multiply(after);
  // |a b| <= 1, so each of the k + 1 terms and partial sums is off by at most k eps.
  const double tolerance = (129.0 + 1) * 129 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (std::size_t row = 0; row < 67; ++row) {
    for (std::size_t column = 0; column < 45; ++column) {
      const double expected = expected_value(before, row, column);
      const auto found = static_cast<double>(after.c[row * 45 + column]);
      if (std::abs(found - expected) <= tolerance) continue;
      throw DeviceError(
          "OpenBLAS " + precision + " gemm",
          fmt::format("element ({}, {}) is {}, a plain loop gives {}", row, column, found, expected),
          "reinstall OpenBLAS or set OPENBLAS_CORETYPE to a processor it supports");
    }
  }
}

template <class Real>
void measure_precision(const std::string& precision, const ProbeRun& run, Profile& profile) {
  check_product<Real>(precision);
  for (const GemmShape shape : gemm_shapes(run.request.quick)) {
    Operands<Real> operands(shape);
    const auto products = [&](int repetitions) {
      for (int repetition = 0; repetition < repetitions; ++repetition) multiply(operands);
    };
    const std::string what = fmt::format("gemm {} {}x{}x{}", precision, shape.m, shape.n, shape.k);
    profile.gemms.push_back(
        {precision, shape.m, shape.n, shape.k, 1, run.measured(what, timed_by(run.clock, products))});
  }
}

}  // namespace

std::vector<GemmShape> gemm_shapes(bool quick) {
  if (quick) {
    return {{128, 128, 128},  {512, 512, 512},  {1024, 1024, 1024},
            {16, 2048, 1024}, {2048, 16, 1024}, {512, 512, 32}};
  }
  return {{64, 64, 64},       {128, 128, 128},  {256, 256, 256},  {512, 512, 512},  {1024, 1024, 1024},
          {2048, 2048, 2048}, {1, 4096, 4096},  {16, 2048, 1024}, {16, 4096, 4096}, {128, 4096, 1024},
          {2048, 16, 1024},   {4096, 64, 4096}, {512, 512, 32},   {2048, 2048, 64}};
}

void measure_gemms(const ProbeRun& run, Profile& profile) {
  measure_precision<float>("fp32", run, profile);
  measure_precision<double>("fp64", run, profile);
}

}  // namespace paceline
