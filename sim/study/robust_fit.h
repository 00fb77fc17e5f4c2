// Least squares that a few wild points do not bend: for constants of a model, from measured logarithms.
#pragma once

#include <functional>
#include <vector>

namespace paceline {

// x of the symmetric positive definite system A x = b by Cholesky's factors; A by rows. Throws
// std::domain_error when A is not positive definite.
[[nodiscard]] std::vector<double> solve_symmetric(std::vector<double> a, std::vector<double> b);

struct RobustFit {
  double scale = 0.1;        // residuals beyond it count less than their square (soft L1)
  double prior_sigma = 0.3;  // of every parameter around its start; weighs like a residual of `scale`
  int most_rounds = 25;
};

// Fills in the residuals at a set of parameters.
using Residuals = std::function<void(const std::vector<double>& parameters, std::vector<double>& residuals)>;

// The parameters that minimise sum weight 2 (sqrt(1 + (residual / scale)^2) - 1) + ((p - start) /
// prior_sigma)^2, by Levenberg and Marquardt's method with differences for derivatives. `weights`: one a
// residual.
[[nodiscard]] std::vector<double> robust_fit(const std::vector<double>& start,
                                             const std::vector<double>& weights, const Residuals& residuals,
                                             const RobustFit& settings = {});

}  // namespace paceline
