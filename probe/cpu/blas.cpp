#include "probe/cpu/blas.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace paceline {
namespace {

// Kernels without AVX2, by OpenBLAS's names.
bool is_old(const std::string& kernels) {
  constexpr std::array old{"Katmai",       "Coppermine", "Northwood",  "Prescott",    "Banias",    "Atom",
                           "Core2",        "Penryn",     "Dunnington", "Nehalem",     "Athlon",    "Opteron",
                           "Opteron_SSE3", "Barcelona",  "Bobcat",     "Sandybridge", "Bulldozer", "Generic"};
  return std::find(old.begin(), old.end(), kernels) != old.end();
}

}  // namespace

std::string blas_description() {
  const std::string configuration = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  const std::size_t end_of_version = configuration.find(' ', configuration.find(' ') + 1);
  return fmt::format("{} {}, {} threads", configuration.substr(0, end_of_version), openblas_get_corename(),
                     openblas_get_num_threads());
}

std::optional<std::string> better_blas_kernels() {
#if defined(__x86_64__)
  const bool can_choose = std::string(openblas_get_config()).find("DYNAMIC_ARCH") != std::string::npos;
  if (!can_choose || !is_old(openblas_get_corename())) return std::nullopt;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return std::nullopt;
}

}  // namespace paceline
