// Which kernels OpenBLAS uses.
#pragma once

#include <optional>
#include <string>

namespace paceline {

// "OpenBLAS 0.3.21 SkylakeX, 2 threads"
std::string blas_description();

// OpenBLAS picks its kernels when it is loaded, and for a processor newer than itself it may pick those of
// 2004. Returns the value of OPENBLAS_CORETYPE that fits this processor's vectors better than what it picked,
// if one does.
std::optional<std::string> better_blas_kernels();

}  // namespace paceline
