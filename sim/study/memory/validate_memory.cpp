#include "sim/study/memory/validate_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/statistics.h"
#include "sim/memory/megatron/memory_of_stage.h"
#include "sim/study/published.h"

namespace paceline {
namespace {

JudgedMemoryRow judge(const PublishedMemory& published) {
  JudgedMemoryRow row{published.id, published.group, published.why_not, published.why_no_peak, {}};
  if (!published.run) return row;
  const auto stages = megatron::memory_of_stages(*published.run);
  for (const MeasuredRank& measured : published.measured) {
    const megatron::StageMemory& stage = stages[static_cast<std::size_t>(measured.stage)];
    row.ranks.push_back({measured, stage.between_steps(), stage.allocated_peak(), stage.reserved,
                         stage.moment, published.why_no_peak.empty()});
  }
  return row;
}

// Predicted and measured bytes of one group, as they come.
class Collected {
 public:
  void add(const JudgedMemoryRow& row) {
    ++rows_;
    if (row.ranks.empty()) return;
    ++answered_;
    if (row.why_no_peak.empty()) ++answered_peak_;
    for (const JudgedMemory& rank : row.ranks) {
      if (rank.measured.between_steps) add_between(rank.between_steps, *rank.measured.between_steps);
      if (!rank.has_peak) continue;
      if (rank.measured.peak) peak_.push_back(error(rank.peak, *rank.measured.peak));
      if (rank.measured.reserved) reserved_.push_back(error(rank.reserved, *rank.measured.reserved));
    }
  }

  [[nodiscard]] MemoryGroup summary(const std::string& name) const {
    MemoryGroup group;
    group.name = name;
    group.rows = rows_;
    group.answered = answered_;
    group.answered_peak = answered_peak_;
    group.between_steps = errors(between_);
    group.peak = errors(peak_);
    group.reserved = errors(reserved_);
    if (residuals_.empty()) return group;
    group.within = static_cast<double>(within_) / static_cast<double>(residuals_.size());
    const double middle = median(residuals_);
    std::vector<double> strays;
    for (const double residual : residuals_) strays.push_back(std::abs(residual - middle));
    group.spread = Bytes(quantile(strays, 0.9));
    return group;
  }

 private:
  static double error(Bytes predicted, Bytes measured) { return std::abs(std::log(predicted / measured)); }

  static MemoryErrors errors(const std::vector<double>& values) {
    MemoryErrors errors;
    errors.count = values.size();
    if (values.empty()) return errors;
    errors.median = median(values);
    errors.p90 = quantile(values, 0.9);
    errors.largest = *std::max_element(values.begin(), values.end());
    errors.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return errors;
  }

  void add_between(Bytes predicted, Bytes measured) {
    between_.push_back(error(predicted, measured));
    const double residual = (predicted - measured).value();
    residuals_.push_back(residual);
    if (std::abs(residual) <= std::max(measured * 0.01, mebibytes(128)).value()) ++within_;
  }

  std::size_t rows_ = 0, answered_ = 0, answered_peak_ = 0, within_ = 0;
  std::vector<double> between_, peak_, reserved_, residuals_;
};

}  // namespace

MemoryValidation validate_memory(const Catalog& catalog, const std::string& data_folder,
                                 std::vector<std::string> files) {
  if (files.empty()) files = published_files(data_folder + "/published", "memory");
  const LibraryMemory libraries = LibraryMemory::load(data_folder + "/memory/megatron.json");
  MemoryValidation validation;
  std::map<std::string, Collected> groups;
  Collected all;
  for (const std::string& file : files)
    for (const PublishedMemory& published : read_published_memory(catalog, libraries, file)) {
      validation.rows.push_back(judge(published));
      groups[published.group].add(validation.rows.back());
      all.add(validation.rows.back());
    }
  for (const auto& [name, collected] : groups) validation.groups.push_back(collected.summary(name));
  validation.groups.push_back(all.summary("all"));
  return validation;
}

}  // namespace paceline
