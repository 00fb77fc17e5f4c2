#include "sim/study/collective_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"

namespace paceline {
namespace {

constexpr std::size_t most_rows = 100000;

std::vector<double> sizes_of(const SizeRange& range) {
  if (range.first > range.last)
    throw InputError("-b",
                     fmt::format("{:.0f} B, above -e {:.0f} B", range.first.value(), range.last.value()),
                     "the smallest size first", "swap them");
  if (range.factor ? !(*range.factor > 1) : !(range.step > Bytes(0)))
    throw InputError(range.factor ? "-f" : "-i", fmt::format("{}", range.factor.value_or(0)),
                     range.factor ? "a factor above 1" : "a step above 0", "choose -f 2");
  std::vector<double> sizes;
  for (double size = range.first.value(); size <= range.last.value();
       size = range.factor ? std::floor(size * *range.factor) : size + range.step.value()) {
    if (sizes.size() == most_rows)
      throw InputError("-i", fmt::format("more than {} sizes", most_rows), "fewer",
                       "take larger steps, or -f 2");
    // A factor so small that a size stays where it is would never end.
    if (!sizes.empty() && size <= sizes.back())
      throw InputError("-f", fmt::format("{}", *range.factor), "a factor that makes the next size larger",
                       "choose -f 2");
    sizes.push_back(size);
  }
  return sizes;
}

// Elements that nccl-tests sends for a size: whole elements; for collectives that split the vector a multiple
// of 16 bytes for every rank.
std::int64_t count_of(CollectiveKind kind, double size, double element, int ranks) {
  const auto elements = static_cast<std::int64_t>(size / element);
  if (!is_of_parts(kind)) return elements;
  const auto unit = std::max<std::int64_t>(1, static_cast<std::int64_t>(16 / element));
  return elements / ranks / unit * unit;
}

SweepRow row_of(const CollectiveCost& cost, const CollectiveSweep& request, const CollectiveGroup& group,
                double asked) {
  const double element = size_of(request.settings.type).value();
  SweepRow row;
  row.count = count_of(request.kind, asked, element, group.ranks);
  row.size = Bytes(static_cast<double>(row.count) * element * (is_of_parts(request.kind) ? group.ranks : 1));
  // An empty message still takes a launch.
  const double operations = request.aggregated;
  row.time = cost.collective(request.kind, std::max(row.size, Bytes(1)) * operations, group);
  row.time.latency = row.time.latency / operations;
  row.time.wire = row.time.wire / operations;
  row.time.network_bytes = row.time.network_bytes / operations;
  const double seconds = row.time.total().value(), factor = bus_factor(request.kind, group.ranks);
  if (!(seconds > 0)) return row;
  row.algbw = row.size.value() / seconds / 1e9;
  row.busbw = row.algbw * factor;
  row.busbw_low = row.busbw / row.time.high;
  row.busbw_high = row.busbw / row.time.low;
  return row;
}

}  // namespace

Bytes parse_test_size(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end ? end : "";
  if (end != text.c_str() && number >= 0 && number < 1e18) {
    if (unit.empty()) return Bytes(number);
    if (unit == "K" || unit == "k") return kibibytes(number);
    if (unit == "M" || unit == "m") return mebibytes(number);
    if (unit == "G" || unit == "g") return gibibytes(number);
  }
  try {
    return parse_quantity<Bytes>(text);
  } catch (const std::invalid_argument&) {
    throw InputError(option, fmt::format("\"{}\"", text), "a size such as 8, 512K, 8M, 1G or 64KiB",
                     "correct it");
  }
}

SweepResult sweep_collective(const Catalog& catalog, const CollectiveSweep& request, const Profile* profile) {
  SweepResult result{request, catalog.hardware.cluster(request.cluster), {}, {}};
  const Cluster& cluster = result.cluster;
  const int local = request.devices.value_or(cluster.devices_per_node);
  if (local < 1 || local > cluster.devices_per_node)
    throw InputError("devices", fmt::format("{} of a node of {}", local, cluster.name),
                     fmt::format("1 to {}", cluster.devices_per_node), "use fewer, or another cluster");
  if (request.nodes < 1 || request.nodes > cluster.max_nodes)
    throw InputError("nodes", fmt::format("{} of {}", request.nodes, cluster.name),
                     fmt::format("1 to {}", cluster.max_nodes), "use fewer, or another cluster");
  result.group = {local * request.nodes, local};
  if (result.group.ranks < 2)
    throw InputError("devices", "one rank", "two or more", "a collective of one rank moves nothing");
  const CollectiveCost cost(catalog.hardware, cluster, profile, request.settings);
  for (const double size : sizes_of(request.sizes))
    result.rows.push_back(row_of(cost, request, result.group, size));
  return result;
}

}  // namespace paceline
