#include "sim/collective/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace paceline {
namespace {

template <class Value, std::size_t count>
std::optional<Value> find_name(const std::array<std::pair<std::string_view, Value>, count>& names,
                               std::string_view wanted) {
  for (const auto& [name, value] : names)
    if (name == wanted) return value;
  return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, CollectiveKind>, 13> kind_names{
    {{"all_reduce", CollectiveKind::all_reduce},
     {"all_gather", CollectiveKind::all_gather},
     {"reduce_scatter", CollectiveKind::reduce_scatter},
     {"broadcast", CollectiveKind::broadcast},
     {"reduce", CollectiveKind::reduce},
     {"alltoall", CollectiveKind::all_to_all},
     {"sendrecv", CollectiveKind::send_receive},
     {"allreduce", CollectiveKind::all_reduce},
     {"allgather", CollectiveKind::all_gather},
     {"reducescatter", CollectiveKind::reduce_scatter},
     {"all_to_all", CollectiveKind::all_to_all},
     {"alltoallv", CollectiveKind::all_to_all},
     {"send_recv", CollectiveKind::send_receive}}};
constexpr std::size_t own_kinds = 7;  // the first of them, in the order of CollectiveKind

constexpr std::array<std::pair<std::string_view, DataType>, 28> type_names{{
    {"int8", DataType::int8},       {"uint8", DataType::uint8},   {"fp8", DataType::fp8},
    {"fp16", DataType::fp16},       {"bf16", DataType::bf16},     {"int32", DataType::int32},
    {"uint32", DataType::uint32},   {"fp32", DataType::fp32},     {"int64", DataType::int64},
    {"uint64", DataType::uint64},   {"fp64", DataType::fp64},     {"half", DataType::fp16},
    {"float16", DataType::fp16},    {"bfloat16", DataType::bf16}, {"float", DataType::fp32},
    {"float32", DataType::fp32},    {"double", DataType::fp64},   {"float64", DataType::fp64},
    {"char", DataType::int8},       {"int", DataType::int32},     {"f8e4m3", DataType::fp8},
    {"f8e5m2", DataType::fp8},      {"fp8_e4m3", DataType::fp8},  {"fp8_e5m2", DataType::fp8},
    {"fp8e4m3", DataType::fp8},     {"fp8e5m2", DataType::fp8},   {"float8_e4m3", DataType::fp8},
    {"float8_e5m2", DataType::fp8},
}};
constexpr std::size_t own_types = 11;

}  // namespace

std::string_view to_string(CollectiveKind kind) { return kind_names[static_cast<std::size_t>(kind)].first; }

std::optional<CollectiveKind> collective_kind(std::string_view name) {
  return find_name(kind_names, lower_case(name));
}

const std::vector<std::string>& collective_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (std::size_t index = 0; index < own_kinds; ++index) list.emplace_back(kind_names[index].first);
    return list;
  }();
  return names;
}

bool is_of_parts(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::all_to_all;
}

double bus_factor(CollectiveKind kind, int ranks) {
  const double others = ranks > 0 ? (ranks - 1.0) / ranks : 0;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2 * others;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return others;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::send_receive:
      break;
  }
  return 1;
}

std::string_view to_string(Algorithm algorithm) {
  constexpr std::array<std::string_view, 9> names{
      "tree",     "ring", "CollNetDirect",    "CollNetChain",  "NVLS",
      "NVLSTree", "PAT",  "halving-doubling", "point-to-point"};
  return names[static_cast<std::size_t>(algorithm)];
}

std::string_view to_string(Protocol protocol) {
  constexpr std::array<std::string_view, 3> names{"LL", "LL128", "Simple"};
  return names[static_cast<std::size_t>(protocol)];
}

std::string_view to_string(DataType type) { return type_names[static_cast<std::size_t>(type)].first; }

std::optional<DataType> data_type(std::string_view name) {
  static_assert(own_types == static_cast<std::size_t>(DataType::fp64) + 1);
  return find_name(type_names, lower_case(name));
}

Bytes size_of(DataType type) {
  constexpr std::array<int, own_types> sizes{1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
  return Bytes(sizes[static_cast<std::size_t>(type)]);
}

namespace {

constexpr std::array<std::pair<std::string_view, LibraryName>, 5> library_names{
    {{"nccl", LibraryName::nccl},
     {"rccl", LibraryName::rccl},
     {"oneccl", LibraryName::oneccl},
     {"gloo", LibraryName::gloo},
     {"mpi", LibraryName::mpi}}};

// "2.27.7" or "2.18": up to three numbers with dots; nothing when there is none or one is out of range.
std::optional<int> version_in(std::string_view text) {
  const std::size_t first = text.find_first_of("0123456789");
  if (first == std::string_view::npos) return std::nullopt;
  std::array<int, 3> parts{};
  std::size_t part = 0;
  for (std::size_t at = first; at < text.size() && part < parts.size(); ++at) {
    if (text[at] == '.')
      ++part;
    else if (std::isdigit(static_cast<unsigned char>(text[at])) != 0)
      parts[part] = std::min(parts[part] * 10 + (text[at] - '0'), 1'000'000);
    else
      break;
  }
  if (parts[0] > 99 || parts[1] > 99 || parts[2] > 99) return std::nullopt;
  return parts[0] * 10000 + parts[1] * 100 + parts[2];
}

}  // namespace

std::optional<Library> parse_library(std::string_view text) {
  const std::string words = lower_case(text);
  // "rccl" and "oneccl" before "nccl", which stands in none of them; longest names first all the same.
  for (const auto& [name, value] : library_names) {
    const std::size_t at = words.find(name);
    if (at == std::string::npos) continue;
    return Library{value, version_in(std::string_view(words).substr(at + name.size()))};
  }
  return std::nullopt;
}

std::string to_string(const Library& library) {
  constexpr std::array<std::string_view, 5> names{"NCCL", "RCCL", "oneCCL", "Gloo", "MPI"};
  const std::string name(names[static_cast<std::size_t>(library.name)]);
  if (!library.version) return name;
  const int version = *library.version;
  return fmt::format("{} {}.{}.{}", name, version / 10000, version / 100 % 100, version % 100);
}

const std::vector<std::string>& launch_style_names() {
  static const std::vector<std::string> names{"process-per-device", "one-process", "framework", "graph"};
  return names;
}

std::string_view to_string(LaunchStyle style) {
  return launch_style_names()[static_cast<std::size_t>(style)];
}

std::optional<LaunchStyle> launch_style(std::string_view name) {
  const auto& names = launch_style_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<LaunchStyle>(found - names.begin());
}

bool CollectiveSettings::allows(Algorithm algorithm) const {
  if (!nvls && (algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree)) return false;
  return algorithms.empty() || std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end();
}

bool CollectiveSettings::allows(Protocol protocol) const {
  return protocols.empty() || std::find(protocols.begin(), protocols.end(), protocol) != protocols.end();
}

}  // namespace paceline
