// A correction grid from what a model of matrix products leaves.
#pragma once

#include <vector>

#include "sim/cost/kernel/correction_grid.h"
#include "sim/study/kernel_table.h"

namespace paceline {

// Ridge regression of -errors (ln(predicted / measured) of each row) on the grid's nodes, reweighted so that
// wild rows do not bend it: sum w (error + c)^2 + 3 sum (difference of neighbouring nodes)^2 + sum c^2. Whole
// percents.
[[nodiscard]] CorrectionGrid fit_grid(const std::vector<KernelRow>& rows, const std::vector<double>& errors);

}  // namespace paceline
