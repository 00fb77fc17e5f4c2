#include "sim/study/robust_fit.h"

#include <cmath>
#include <stdexcept>

namespace paceline {
namespace {

// The problem at one set of parameters.
struct State {
  std::vector<double> parameters, residuals;
  double cost = 0;
};

class Problem {
 public:
  Problem(const std::vector<double>& start, const std::vector<double>& weights, const Residuals& residuals,
          const RobustFit& settings)
      : start_(start), weights_(weights), residuals_(residuals), settings_(settings) {}

  [[nodiscard]] State at(std::vector<double> parameters) const {
    State state{std::move(parameters), std::vector<double>(weights_.size()), 0};
    residuals_(state.parameters, state.residuals);
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      const double z = state.residuals[row] / settings_.scale;
      state.cost += weights_[row] * 2 * (std::sqrt(1 + z * z) - 1);
    }
    for (std::size_t each = 0; each < start_.size(); ++each) {
      const double apart = (state.parameters[each] - start_[each]) / settings_.prior_sigma;
      state.cost += apart * apart;
    }
    return state;
  }

  // Normal equations of the reweighted linear problem around a state.
  void linearise(const State& state, std::vector<double>& a, std::vector<double>& b) const {
    const std::size_t count = start_.size();
    constexpr double step = 1e-3;  // the model has kinks: a smaller one would see only one side of them
    std::vector<std::vector<double>> slopes(count, std::vector<double>(weights_.size()));
    for (std::size_t each = 0; each < count; ++each) {
      std::vector<double> moved = state.parameters;
      moved[each] += step;
      residuals_(moved, slopes[each]);
      for (std::size_t row = 0; row < weights_.size(); ++row)
        slopes[each][row] = (slopes[each][row] - state.residuals[row]) / step;
    }
    a.assign(count * count, 0);
    b.assign(count, 0);
    const double square = settings_.scale * settings_.scale;
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      const double r = state.residuals[row];
      const double weight = weights_[row] / square / std::sqrt(1 + r * r / square);
      for (std::size_t i = 0; i < count; ++i) {
        b[i] -= weight * slopes[i][row] * r;
        for (std::size_t j = 0; j <= i; ++j) a[i * count + j] += weight * slopes[i][row] * slopes[j][row];
      }
    }
    const double prior = 1 / (settings_.prior_sigma * settings_.prior_sigma);
    for (std::size_t i = 0; i < count; ++i) {
      a[i * count + i] += prior;
      b[i] -= prior * (state.parameters[i] - start_[i]);
      for (std::size_t j = i + 1; j < count; ++j) a[i * count + j] = a[j * count + i];
    }
  }

 private:
  const std::vector<double>& start_;
  const std::vector<double>& weights_;
  const Residuals& residuals_;
  const RobustFit& settings_;
};

}  // namespace

std::vector<double> solve_symmetric(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i != j) {
        a[i * n + j] = sum / a[j * n + j];
        continue;
      }
      if (!(sum > 0)) throw std::domain_error("matrix is not positive definite");
      a[i * n + i] = std::sqrt(sum);
    }
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return b;
}

std::vector<double> robust_fit(const std::vector<double>& start, const std::vector<double>& weights,
                               const Residuals& residuals, const RobustFit& settings) {
  const Problem problem(start, weights, residuals, settings);
  State state = problem.at(start);
  double damping = 1e-3;
  std::vector<double> a, b;
  for (int round = 0; round < settings.most_rounds; ++round) {
    problem.linearise(state, a, b);
    const double before = state.cost;
    while (damping < 1e6) {
      std::vector<double> damped = a;
      for (std::size_t i = 0; i < start.size(); ++i) damped[i * start.size() + i] *= 1 + damping;
      const std::vector<double> step = solve_symmetric(damped, b);
      std::vector<double> moved = state.parameters;
      for (std::size_t i = 0; i < start.size(); ++i) moved[i] += step[i];
      State next = problem.at(std::move(moved));
      if (next.cost < state.cost) {
        state = std::move(next);
        damping /= 4;
        break;
      }
      damping *= 4;
    }
    if (before - state.cost < 1e-6 * before) break;
  }
  return state.parameters;
}

}  // namespace paceline
