// The JSON that newer nccl-tests write with -J.
#pragma once

#include <string>
#include <string_view>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline::nccl_tests {

// Objects with a size and times are rows wherever they stand, and spellings of both styles ("out_of_place",
// "out-of-place", "alg_bw", "algbw") are known, since the format has no version of its own. Throws InputError
// when the text is no JSON or holds no row.
[[nodiscard]] NcclTestsLog read_json_log(std::string_view text, const std::string& file);

}  // namespace paceline::nccl_tests
