#include "sim/study/nccl_tests/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace paceline::nccl_tests {
namespace {

constexpr double time_digits = 5e-4;  // times are printed with at least four digits

struct Range {
  double low = 0, high = 1e9;
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

// A warning that this may not be the job that was meant.
void doubt(NcclTestsTable& table, const std::string& why) {
  table.warnings.push_back(why);
  table.doubtful = true;
}

// The factor that the largest bandwidths of the table are printed with: times and rates are rounded.
std::optional<Range> printed_factor(const NcclTestsTable& table) {
  std::vector<const NcclTestsRow*> rows;
  for (const NcclTestsRow& row : table.rows)
    if (row.algbw && row.busbw && *row.algbw > 20 * row.decimals) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return *a->algbw > *b->algbw; });
  if (rows.empty()) return std::nullopt;
  Range range;
  for (std::size_t index = 0; index < std::min<std::size_t>(3, rows.size()); ++index) {
    const NcclTestsRow& row = *rows[index];
    const double exact = row.bytes.value() / row.time().value() / 1e9;
    const bool usable = std::abs(exact / *row.algbw - 1) < 2 * time_digits + row.decimals / *row.algbw;
    const double from_time = usable ? exact * time_digits : 1e9;
    const double slack = std::min(row.decimals, from_time),
                 center = slack < row.decimals ? exact : *row.algbw;
    range.low = std::max(range.low, (*row.busbw - row.decimals) / (center + slack));
    range.high = std::min(range.high, (*row.busbw + row.decimals) / std::max(center - slack, 1e-9));
  }
  if (range.low > range.high) return std::nullopt;
  return range;
}

// Rank counts whose factor is in the range: the factor is k (1 - 1/n), so n = 1 / (1 - factor/k).
std::vector<int> ranks_of(const std::string& collective, const Range& factor) {
  constexpr double most = 65536;
  const double k = 2 * *nccl_tests_factor(collective, 2);
  const auto ranks = [&](double value) { return value >= k ? most : std::min(most, 1 / (1 - value / k)); };
  const int low = static_cast<int>(std::clamp(std::ceil(ranks(factor.low) - 1e-9), 2.0, most));
  std::vector<int> found;
  for (int count = low; count <= ranks(factor.high) + 1e-9 && found.size() < 64; ++count)
    found.push_back(count);
  return found;
}

bool depends_on_ranks(const std::string& collective) {
  return nccl_tests_factor(collective, 2) &&
         *nccl_tests_factor(collective, 2) != *nccl_tests_factor(collective, 4);
}

void find_ranks(NcclTestsTable& table, const NcclDebug& debug) {
  std::set<std::string> hosts;
  int members = 0;
  for (const NcclTestsDevice& device : table.devices()) {
    if (device.group != table.devices().front().group) continue;
    ++members;
    hosts.insert(device.host);
  }
  table.hosts = static_cast<int>(hosts.size());
  if (members > 0) table.ranks = members, table.ranks_from = "the list of devices";
  if (table.ranks == 0 && debug.communicator_ranks > 0)
    table.ranks = debug.communicator_ranks, table.ranks_from = "NCCL's lines about the communicator";
}

void infer_collective(NcclTestsTable& table, const Range& factor) {
  const bool sums = !table.reduction.empty() && table.reduction != "none";
  if (factor.low > 1.02)
    table.collective = "all_reduce";
  else if (sums && factor.high < 0.98)
    table.collective = "reduce_scatter";
  if (!table.collective.empty()) table.collective_from = "the ratio of busbw to algbw";
}

void check_factor(NcclTestsTable& table, const Range& factor) {
  if (!depends_on_ranks(table.collective)) return;
  const std::vector<int> fitting = ranks_of(table.collective, factor);
  if (table.ranks == 0) {
    // 512 and 513 ranks have the same ratio as far as it is printed: whole hosts are likelier.
    std::vector<int> likely = fitting;
    for (const int unit : {2, 8})
      if (likely.size() > 1) std::erase_if(likely, [&](int ranks) { return ranks % unit != 0; });
    if (likely.size() == 1) table.ranks = likely.front(), table.ranks_from = "the ratio of busbw to algbw";
    return;
  }
  if (factor.holds(*nccl_tests_factor(table.collective, table.ranks))) return;
  std::string fits = "which no number of ranks has";
  if (!fitting.empty()) fits = fmt::format("which {} has for {} ranks", table.collective, fitting.front());
  const bool parts = !fitting.empty() && table.ranks % fitting.front() == 0 && table.ranks > fitting.front();
  doubt(table, fmt::format("busbw is printed as {:.4g} x algbw, {}, but {} gives {} ranks (factor {:.4g}){}",
                           (factor.low + factor.high) / 2, fits, table.ranks_from, table.ranks,
                           *nccl_tests_factor(table.collective, table.ranks),
                           parts ? fmt::format(": this looks like {} separate jobs of {}",
                                               table.ranks / fitting.front(), fitting.front())
                                 : ""));
}

void check_rates(NcclTestsTable& table) {
  std::size_t wrong_rate = 0, first = 0;
  std::int64_t wrong_values = 0;
  for (const NcclTestsRow& row : table.rows) {
    wrong_values = std::min<std::int64_t>(wrong_values + row.wrong, 1LL << 60);
    if (!row.algbw || !row.out_of_place) continue;
    const double exact = row.bytes.value() / row.time().value() / 1e9;
    if (std::abs(exact - *row.algbw) <= 2 * row.decimals + 0.02 * exact) continue;
    if (wrong_rate++ == 0) first = row.line;
  }
  if (wrong_rate > 0)
    table.warnings.push_back(
        fmt::format("algbw is not size over time in {} of {} rows, first in line {}: the time counts",
                    wrong_rate, table.rows.size(), first));
  if (wrong_values > 0 || table.out_of_bounds.value_or(0) > 0)
    doubt(table, fmt::format("{} values were wrong: the machine or the library is faulty, whatever its speed",
                             std::max(wrong_values, table.out_of_bounds.value_or(0))));
}

}  // namespace

void complete(NcclTestsLog& log) {
  for (NcclTestsTable& table : log.tables) {
    find_ranks(table, log.debug);
    const auto factor = printed_factor(table);
    if (table.collective.empty() && factor) infer_collective(table, *factor);
    if (factor) check_factor(table, *factor);
    check_rates(table);
    if (log.announced_ranks && table.ranks > 0 && *log.announced_ranks != table.ranks)
      doubt(table,
            fmt::format("the launcher was asked for {} ranks, but the table is of {}{}", *log.announced_ranks,
                        table.ranks,
                        *log.announced_ranks % table.ranks == 0
                            ? fmt::format(": {} separate jobs of {}, as when nccl-tests is built without MPI",
                                          *log.announced_ranks / table.ranks, table.ranks)
                            : ""));
  }
}

}  // namespace paceline::nccl_tests
