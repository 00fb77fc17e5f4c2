// The names that PyTorch's profiler gives to kinds of slices, and the families they belong to.
#pragma once

#include <string_view>

#include "traces/timeline.h"

namespace paceline {

// The family of a slice by its category (any letter case; the words of 2021 included) and its name. Device
// work is told apart by category alone: an operator that carries a stream is still host work, and a range
// that the profiler copied to the device's row is not work at all.
[[nodiscard]] Family family_of(std::string_view category, std::string_view name);

// Whether slices of this category stand on the row of a device's stream.
[[nodiscard]] bool is_device_category(std::string_view category);

// The category under which a slice of this family is written; `kind` is that of its track.
[[nodiscard]] std::string_view category_of(Family family, TrackKind kind);

// Whether a kernel of this name moves data between devices: the collectives of NCCL and RCCL, and the kernels
// by which DeepEP, NVSHMEM, MSCCL++, vLLM, TensorRT-LLM and PyTorch's symmetric memory do the same work.
[[nodiscard]] bool is_communication_kernel(std::string_view name);

}  // namespace paceline
