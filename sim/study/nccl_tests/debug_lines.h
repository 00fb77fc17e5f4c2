// Lines about the machine: the list of devices, and what NCCL itself writes with NCCL_DEBUG=INFO.
#pragma once

#include <optional>
#include <string_view>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline::nccl_tests {

// "#  Rank  0 Group  0 Pid  12345 on    node1 device  0 [0x07] NVIDIA A100-SXM4-80GB"
[[nodiscard]] std::optional<NcclTestsDevice> parse_device(std::string_view text);

// Adds what the line says; `text` holds "NCCL" but need not be one of the known lines.
void read_debug_line(std::string_view text, NcclDebug& debug);

// Where a line of NCCL's begins inside the text ("node1:12:34 [0] NCCL INFO ..."): npos when there is none.
[[nodiscard]] std::size_t debug_line_start(std::string_view text);

}  // namespace paceline::nccl_tests
