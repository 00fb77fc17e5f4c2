// What a table does not say but its numbers do, and what it says against its own numbers.
#pragma once

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline::nccl_tests {

// Rank counts and collectives that the header lacks are inferred from the ratio of the bandwidths; warnings
// are added where the bandwidths contradict the time or the rank count, and where values were wrong.
void complete(NcclTestsLog& log);

}  // namespace paceline::nccl_tests
