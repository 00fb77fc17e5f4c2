// The numbers of kernel rates that a fit may turn; all above 0, as it works on their logarithms.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

template <class R>
struct Knob {
  std::function<double(const R&)> get;
  std::function<void(R&, double)> set;
};

template <class R, class Q>
Knob<R> knob(Q R::*member) {
  return {[member](const R& rates) {
            if constexpr (std::is_same_v<Q, double>)
              return rates.*member;
            else
              return (rates.*member).value();
          },
          [member](R& rates, double value) { rates.*member = Q(value); }};
}

// With dynamic quantisation where the rates have it.
[[nodiscard]] std::vector<Knob<GemmRates>> gemm_knobs(const GemmRates& rates);
// One rate a head size.
[[nodiscard]] std::vector<Knob<AttentionRates>> attention_knobs(const AttentionRates& rates);
[[nodiscard]] std::vector<Knob<ExpertRates>> expert_knobs();

// "4.2" for 0.042.
[[nodiscard]] std::string percent_text(double value);

}  // namespace paceline
