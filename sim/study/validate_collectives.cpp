#include "sim/study/validate_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/statistics.h"
#include "sim/cost/collective_cost.h"
#include "sim/study/parallel.h"
#include "sim/study/published.h"

namespace paceline {
namespace {

constexpr double kib = 1024, mib = 1024 * 1024;

const char* regime_of(const PublishedCollective& table, Bytes bytes) {
  const double size = bytes.value();
  if (table.group.nodes() > 1) return size < 64 * mib ? "multi-node-small" : "multi-node-large";
  return size < 64 * kib ? "one-node-small" : size < 16 * mib ? "one-node-middle" : "one-node-large";
}

// A profile of every other point, beginning with the first.
Profile half_profile(const PublishedCollective& table) {
  Profile profile;
  bool take = true;
  for (const CollectivePoint& point : table.points) {
    if (point.outlier) continue;
    if (take) {
      MeasuredCollective row;
      row.kind = to_string(table.kind);
      row.transport = "nccl";
      row.ranks = table.group.ranks;
      row.nodes = table.group.nodes();
      row.bytes = point.bytes;
      row.time.median = point.time;
      profile.collectives.push_back(row);
    }
    take = !take;
  }
  return profile;
}

JudgedTable judge(const Catalog& catalog, const PublishedCollective& table, CollectiveKnowledge knowledge) {
  JudgedTable judged{table, {}, table.why_not};
  if (!table.cluster) return judged;
  try {
    const bool half = knowledge == CollectiveKnowledge::half_of_the_sizes;
    const Profile profile = half ? half_profile(table) : Profile{};
    const CollectiveCost cost(catalog.hardware, *table.cluster, half ? &profile : nullptr, table.settings);
    std::vector<double> errors, signs;
    for (const CollectivePoint& point : table.points) {
      if (point.outlier || point.bytes <= Bytes(0)) continue;
      const CollectiveTime time = cost.collective(table.kind, point.bytes, table.group);
      if (half && time.provenance == Provenance::measured) continue;
      judged.points.push_back({point, time.total(), time.algorithm, time.protocol, time.low, time.high});
      errors.push_back(judged.points.back().error());
      signs.push_back(std::log(point.time / time.total()));
    }
    if (errors.empty()) return judged;
    judged.median = median(errors);
    judged.p90 = quantile(errors, 0.9);
    judged.bias = median(signs);
  } catch (const InputError& error) {
    judged.why_not = error.what();
    judged.points.clear();
  }
  return judged;
}

class Groups {
 public:
  void add(const std::string& name, const std::string& table, const JudgedPoint& point) {
    Group& group = groups_[name];
    group.tables.insert({table, true});
    group.errors.push_back(point.error());
    group.inside += point.is_inside() ? 1 : 0;
  }
  [[nodiscard]] PointErrors errors(const std::string& name) const {
    const auto found = groups_.find(name);
    PointErrors result;
    result.name = name;
    if (found == groups_.end()) return result;
    const Group& group = found->second;
    result.tables = group.tables.size();
    result.points = group.errors.size();
    result.median = median(group.errors);
    result.p90 = quantile(group.errors, 0.9);
    const double count = static_cast<double>(group.errors.size());
    result.within_two =
        static_cast<double>(std::count_if(group.errors.begin(), group.errors.end(),
                                          [](double error) { return error <= std::log(2.0); })) /
        count;
    result.inside = static_cast<double>(group.inside) / count;
    return result;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& group : groups_) list.push_back(group.first);
    return list;
  }

 private:
  struct Group {
    std::map<std::string, bool> tables;
    std::vector<double> errors;
    std::size_t inside = 0;
  };
  std::map<std::string, Group> groups_;
};

void summarise(CollectiveValidation& validation) {
  Groups regimes, classes;
  for (const JudgedTable& judged : validation.tables)
    for (const JudgedPoint& point : judged.points) {
      regimes.add(regime_of(judged.table, point.point.bytes), judged.table.id, point);
      classes.add(judged.table.machine_class, judged.table.id, point);
    }
  for (const char* name :
       {"one-node-small", "one-node-middle", "one-node-large", "multi-node-small", "multi-node-large"})
    validation.regimes.push_back(regimes.errors(name));
  for (const std::string& name : classes.names()) validation.classes.push_back(classes.errors(name));
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

}  // namespace

double JudgedPoint::error() const { return std::abs(std::log(predicted / point.time)); }
bool JudgedPoint::is_inside() const {
  return point.time >= predicted * low && point.time <= predicted * high;
}

CollectiveValidation validate_collectives(const Catalog& catalog, const std::string& data_folder,
                                          std::vector<std::string> files, CollectiveKnowledge knowledge) {
  if (files.empty()) files = published_files(data_folder + "/published", "collectives");
  std::vector<PublishedCollective> tables;
  for (const std::string& file : files)
    for (PublishedCollective& table : read_published_collectives(catalog, file))
      if (table.healthy) tables.push_back(std::move(table));
  CollectiveValidation validation;
  validation.tables.resize(tables.size());
  for_each_index(tables.size(), [&](std::size_t index) {
    validation.tables[index] = judge(catalog, tables[index], knowledge);
  });
  for (const JudgedTable& judged : validation.tables)
    if (!judged.why_not.empty()) ++validation.unstated;
  summarise(validation);
  return validation;
}

Table collective_validation_table(const CollectiveValidation& validation) {
  Table table;
  table.columns = {{"group", false}, {"tables"}, {"points"}, {"median"}, {"p90"}, {"within 2x"}, {"inside"}};
  for (const auto* list : {&validation.regimes, &validation.classes})
    for (const PointErrors& group : *list) {
      if (group.points == 0) continue;
      table.rows.push_back({group.name, std::to_string(group.tables), std::to_string(group.points),
                            percent(group.median), percent(group.p90), percent(group.within_two),
                            percent(group.inside)});
    }
  return table;
}

Table worst_collectives_table(const CollectiveValidation& validation, std::size_t most) {
  std::vector<const JudgedTable*> order;
  for (const JudgedTable& judged : validation.tables)
    if (!judged.points.empty()) order.push_back(&judged);
  std::stable_sort(order.begin(), order.end(),
                   [](const JudgedTable* a, const JudgedTable* b) { return a->median > b->median; });
  Table table;
  table.columns = {{"table", false}, {"median"}, {"p90"}, {"measured is", false}, {"known of it", false}};
  for (std::size_t index = 0; index < std::min(most, order.size()); ++index) {
    const JudgedTable& judged = *order[index];
    const bool nccl = judged.table.settings.library.name == LibraryName::nccl;
    std::string known = judged.table.note;
    if (!nccl)
      known = "rings and trees of this library are not modelled closely; " + known;
    else if (!judged.table.settings.library.version)
      known = "version not stated; " + known;
    while (known.ends_with("; ")) known.resize(known.size() - 2);
    table.rows.push_back({judged.table.id, percent(judged.median), percent(judged.p90),
                          fmt::format("{:.2f}x", std::exp(judged.bias)), known});
  }
  return table;
}

Table unasked_collectives_table(const CollectiveValidation& validation) {
  Table table;
  table.columns = {{"not asked", false}, {"why", false}};
  for (const JudgedTable& judged : validation.tables)
    if (!judged.why_not.empty()) table.rows.push_back({judged.table.id, judged.why_not});
  return table;
}

}  // namespace paceline
