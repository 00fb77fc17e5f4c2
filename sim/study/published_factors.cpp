#include "sim/study/published_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/setting.h"

namespace paceline {
namespace {

template <class Value>
std::string word(const std::optional<Value>& value) {
  return value ? fmt::format("{}", static_cast<int>(*value)) : "default";
}

void add_parallelism(const Parallelism& parallel, RowFactors& factors) {
  const Degrees& degrees = parallel.degrees;
  factors["tensor degree"] = std::to_string(degrees.tensor);
  factors["pipeline degree"] = std::to_string(degrees.pipeline);
  factors["context degree"] = std::to_string(degrees.context);
  factors["expert degree"] = std::to_string(degrees.expert);
  factors["schedule"] = fmt::format("{} {}", word(parallel.schedule), degrees.virtual_stages);
  factors["ZeRO stage"] = std::to_string(parallel.zero_stage);
  factors["recomputation"] =
      fmt::format("{} {}", recompute_names()[static_cast<std::size_t>(parallel.recompute)],
                  fmt::join(parallel.recompute_modules, "+"));
  factors["sequence parallelism"] = word(parallel.sequence_parallel);
  factors["tensor overlap"] = word(parallel.tensor_overlap);
  factors["dispatcher"] = word(parallel.dispatcher);
  factors["graph scope"] = word(parallel.graph_scope);
  factors["expert overlap"] = word(parallel.expert_overlap);
  factors["token drop"] = parallel.token_drop ? "yes" : "no";
}

// Device time of one token, or sample where there are none.
double cost(const Scenario& scenario, Seconds step) {
  const double tokens = std::max<double>(1, static_cast<double>(scenario.input.sequence));
  return step.value() * scenario.devices / (samples_of_step(scenario) * tokens);
}

constexpr double least_difference = 0.03;  // of ln: repetitions of a run differ by as much

Seconds measured_step(const JudgedRow& row) { return *row.row.step; }
Seconds predicted_step(const JudgedRow& row) { return *row.predicted; }

double log_of_costs(const JudgedRow& a, const JudgedRow& b, Seconds (*step)(const JudgedRow&)) {
  return std::log(cost(*a.row.scenario, step(a)) / cost(*b.row.scenario, step(b)));
}

bool reported(const std::string& factor) {
  return factor != "machine" && factor != "devices" && factor != "framework" && factor != "other";
}

}  // namespace

RowFactors factors_of(const PublishedRow& row) {
  const Scenario& scenario = *row.scenario;
  const Strategy& strategy = scenario.strategy;
  RowFactors factors;
  factors["machine"] = scenario.cluster;
  factors["devices"] = std::to_string(scenario.devices);
  factors["framework"] = strategy.framework;
  factors["model"] = scenario.model;
  factors["sequence"] = std::to_string(scenario.input.sequence);
  factors["precision"] = fmt::format("{} {}", to_string(scenario.precision),
                                     fp8_recipe_names()[static_cast<std::size_t>(strategy.parallel.fp8)]);
  factors["micro-batch"] = std::to_string(scenario.batch_per_device);
  factors["accumulation"] = std::to_string(strategy.accumulation);
  factors["strategy"] = title_of(strategy.kind);
  factors["bucket size"] = strategy.bucket_cap ? to_string(*strategy.bucket_cap) : "default";
  factors["overlap"] = word(strategy.overlap);
  factors["other"] = fmt::format("{} {} {} {} {}", scenario.input.image, scenario.input.vocabulary,
                                 optimizer_names()[static_cast<std::size_t>(strategy.optimizer)],
                                 word(strategy.channels_last), word(scenario.devices_per_node));
  add_parallelism(strategy.parallel, factors);
  return factors;
}

std::string single_factor(const PublishedRow& a, const PublishedRow& b) {
  const RowFactors first = factors_of(a), second = factors_of(b);
  std::vector<std::string> differ;
  for (const auto& [name, value] : first)
    if (second.at(name) != value) differ.push_back(name);
  const auto forget = [&](const char* name) { std::erase(differ, name); };
  const auto has = [&](const char* name) {
    return std::find(differ.begin(), differ.end(), name) != differ.end();
  };
  const bool same_batch = samples_of_step(*a.scenario) == samples_of_step(*b.scenario);
  if (has("sequence")) {
    forget("micro-batch");
    forget("accumulation");
  }
  if (differ.size() > 1 && same_batch) forget("accumulation");
  return differ.size() == 1 && reported(differ.front()) ? differ.front() : "";
}

void add_efficiencies(std::vector<JudgedRow>& rows) {
  std::map<std::string, std::vector<JudgedRow*>> families;
  for (JudgedRow& row : rows) {
    if (!row.predicted || !row.row.step) continue;
    // Everything but the number of devices, the machine's size and what one device does not need: whichever
    // library averages the gradients.
    RowFactors factors = factors_of(row.row);
    factors["machine"] = row.row.cluster->device;
    factors.erase("devices");
    const StrategyKind kind = row.row.scenario->strategy.kind;
    if (kind != StrategyKind::data_parallel && kind != StrategyKind::zero &&
        kind != StrategyKind::fully_sharded)
      factors["strategy"] = "replicated";
    std::string key = row.row.group;
    for (const auto& [name, value] : factors) key += "\n" + name + " " + value;
    families[key].push_back(&row);
  }
  // A plain run without the wrapper is not the same configuration as the wrapped one where both exist.
  const auto smaller = [](const JudgedRow* a, const JudgedRow* b) {
    const Scenario &x = *a->row.scenario, &y = *b->row.scenario;
    if (x.devices != y.devices) return x.devices < y.devices;
    return x.strategy.kind != StrategyKind::single && y.strategy.kind == StrategyKind::single;
  };
  for (auto& [key, members] : families) {
    const JudgedRow& base = **std::min_element(members.begin(), members.end(), smaller);
    for (JudgedRow* row : members) {
      if (row->row.scenario->devices == base.row.scenario->devices) continue;
      // Work per device is the same, so throughput per GPU goes as 1 / step.
      row->efficiency = *base.predicted / *row->predicted;
      row->measured_efficiency = *base.row.step / *row->row.step;
    }
  }
}

std::vector<FactorDirection> directions_of(const std::vector<JudgedRow>& rows) {
  std::map<std::string, std::vector<const JudgedRow*>> groups;
  for (const JudgedRow& row : rows)
    if (row.predicted && row.row.step) groups[row.row.group].push_back(&row);
  std::map<std::pair<std::string, std::string>, FactorDirection> found;
  for (const auto& [group, members] : groups)
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const std::string factor = single_factor(members[i]->row, members[j]->row);
        const double measured = log_of_costs(*members[i], *members[j], &measured_step);
        if (factor.empty() || std::abs(measured) <= least_difference) continue;
        FactorDirection& direction =
            found.try_emplace({factor, group}, FactorDirection{group, factor}).first->second;
        ++direction.pairs;
        if (measured * log_of_costs(*members[i], *members[j], &predicted_step) > 0) ++direction.agreed;
      }
  std::vector<FactorDirection> directions;
  for (const auto& [key, direction] : found) directions.push_back(direction);
  return directions;
}

}  // namespace paceline
