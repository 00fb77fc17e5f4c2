// The environment variables of NCCL that the model knows, with their syntax.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/text.h"
#include "sim/collective/collective.h"

namespace paceline {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

template <class Value, std::size_t count>
std::string names_of(const std::array<Value, count>& values) {
  std::string list;
  for (const Value value : values) list += (list.empty() ? "" : ", ") + std::string(to_string(value));
  return list;
}

// "ring,tree", or "^ll128": all but these. `from` are the values that the variable knows.
template <class Value, std::size_t count>
std::vector<Value> choice(std::string_view variable, const std::string& text,
                          const std::array<Value, count>& from) {
  const bool excludes = !text.empty() && text.front() == '^';
  std::vector<Value> named;
  for (const std::string& word : split(excludes ? text.substr(1) : text, ',')) {
    const auto found = std::find_if(from.begin(), from.end(),
                                    [&](Value value) { return lower_case(to_string(value)) == word; });
    if (found == from.end())
      throw InputError(std::string(variable), fmt::format("\"{}\"", word), "one of " + names_of(from),
                       "correct the variable, or leave it out for the library's own choice");
    named.push_back(*found);
  }
  if (!excludes) return named;
  std::vector<Value> rest;
  for (const Value value : from)
    if (std::find(named.begin(), named.end(), value) == named.end()) rest.push_back(value);
  return rest;
}

// Of "allreduce:ring;allgather:^pat" the part for `kind`; a part without a name counts for all.
std::optional<std::string> part_for(CollectiveKind kind, const std::string& text) {
  std::optional<std::string> common;
  for (const std::string& part : split(text, ';')) {
    const std::size_t colon = part.find(':');
    if (colon == std::string::npos)
      common = part;
    else if (collective_kind(part.substr(0, colon)) == kind)
      return part.substr(colon + 1);
  }
  return common;
}

int number(std::string_view variable, const std::string& text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw InputError(std::string(variable), fmt::format("\"{}\"", text),
                     fmt::format("a whole number from {} to {}", least, most), "correct the variable");
  return value;
}

constexpr std::array<Algorithm, 7> nccl_algorithms{Algorithm::tree,
                                                   Algorithm::ring,
                                                   Algorithm::collnet_direct,
                                                   Algorithm::collnet_chain,
                                                   Algorithm::nvls,
                                                   Algorithm::nvls_tree,
                                                   Algorithm::pat};
constexpr std::array<Protocol, 3> nccl_protocols{Protocol::ll, Protocol::ll128, Protocol::simple};

}  // namespace

bool set_environment(CollectiveSettings& settings, CollectiveKind kind, std::string_view name,
                     std::string_view value) {
  const std::string text = lower_case(value);
  if (name == "NCCL_ALGO") {
    if (const auto part = part_for(kind, text)) settings.algorithms = choice(name, *part, nccl_algorithms);
  } else if (name == "NCCL_PROTO") {
    if (const auto part = part_for(kind, text)) settings.protocols = choice(name, *part, nccl_protocols);
  } else if (name == "NCCL_MIN_NCHANNELS" || name == "NCCL_MIN_CTAS") {
    settings.min_channels = number(name, text, 1, 64);
  } else if (name == "NCCL_MAX_NCHANNELS" || name == "NCCL_MAX_CTAS") {
    settings.max_channels = number(name, text, 1, 64);
  } else if (name == "NCCL_NVLS_ENABLE") {
    settings.nvls = number(name, text, 0, 2) != 0;
  } else if (name == "NCCL_COLLNET_ENABLE") {
    settings.collnet = number(name, text, 0, 1) != 0;
  } else if (name == "NCCL_P2P_DISABLE") {
    settings.peer_to_peer = number(name, text, 0, 1) == 0;
  } else if (name == "NCCL_P2P_LEVEL") {
    if (text == "loc" || text == "0") settings.peer_to_peer = false;
  } else if (name == "NCCL_IB_DISABLE") {
    settings.rdma = number(name, text, 0, 1) == 0;
  } else {
    return false;
  }
  return true;
}

}  // namespace paceline
