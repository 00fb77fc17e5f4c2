#include "sim/study/knobs.h"

#include <fmt/format.h>

#include <algorithm>

namespace paceline {

std::vector<Knob<GemmRates>> gemm_knobs(const GemmRates& rates) {
  std::vector<Knob<GemmRates>> knobs{knob(&GemmRates::start),    knob(&GemmRates::rate),
                                     knob(&GemmRates::memory),   knob(&GemmRates::l2),
                                     knob(&GemmRates::k_step),   knob(&GemmRates::split),
                                     knob(&GemmRates::epilogue), knob(&GemmRates::l2_capacity),
                                     knob(&GemmRates::resident), knob(&GemmRates::hidden_waves)};
  // A share: never above 1.
  knobs.back().set = [](GemmRates& each, double value) { each.hidden_waves = std::min(value, 1.0); };
  if (rates.quantise_start > Seconds(0)) {
    knobs.push_back(knob(&GemmRates::quantise_start));
    knobs.push_back(knob(&GemmRates::quantise_traffic));
  }
  return knobs;
}

std::vector<Knob<AttentionRates>> attention_knobs(const AttentionRates& rates) {
  std::vector<Knob<AttentionRates>> knobs;
  for (const auto& [head, rate] : rates.rate) {
    knobs.push_back(
        {[size = head](const AttentionRates& each) { return each.rate.at(size).value(); },
         [size = head](AttentionRates& each, double value) { each.rate[size] = FlopsPerSecond(value); }});
  }
  knobs.push_back(knob(&AttentionRates::memory));
  // What a device does not have stays 0.
  for (auto part :
       {&AttentionRates::start, &AttentionRates::floor, &AttentionRates::row, &AttentionRates::k_block})
    if (rates.*part > Seconds(0)) knobs.push_back(knob(part));
  for (auto part : {&AttentionRates::longest, &AttentionRates::longest_tail})
    if (rates.*part > 0) knobs.push_back(knob(part));
  return knobs;
}

std::vector<Knob<ExpertRates>> expert_knobs() {
  return {knob(&ExpertRates::start),           knob(&ExpertRates::rate),
          knob(&ExpertRates::memory),          knob(&ExpertRates::l2),
          knob(&ExpertRates::permute_traffic), knob(&ExpertRates::skew_1_01),
          knob(&ExpertRates::skew_1_2),        knob(&ExpertRates::active_share)};
}

std::string percent_text(double value) { return fmt::format("{:.1f}", value * 100); }

}  // namespace paceline
