#include "sim/strategy/framework.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "sim/strategy/framework_reader.h"

namespace paceline {
namespace {

// "pytorch 1.8 + transformers 4.3" -> "pytorch": what stands before the first digit or plus sign, and before
// a parenthesis that the digit is in: "megatron-bridge (NeMo 26.04)" -> "megatron-bridge".
std::string without_version(const std::string& name) {
  std::string text = name.substr(0, name.find_first_of("0123456789+"));
  if (text.find(')') == std::string::npos) text = text.substr(0, text.find('('));
  while (!text.empty() && (text.back() == ' ' || text.back() == '-' || text.back() == 'v')) text.pop_back();
  return lower_case(text);
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names{"sgd", "momentum", "adam", "lamb", "lars", "rmsprop"};
  return names;
}

Bytes optimizer_state_per_parameter(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::sgd:
      return Bytes(0);
    case Optimizer::momentum:
    case Optimizer::lars:
      return Bytes(4);
    case Optimizer::adam:
    case Optimizer::lamb:
    case Optimizer::rmsprop:
      return Bytes(8);
  }
  return Bytes(0);
}

FrameworkCatalog FrameworkCatalog::load(const std::string& folder) {
  FrameworkCatalog catalog;
  catalog.frameworks_ =
      read_frameworks(json_files(folder, "point --data or PACELINE_DATA to the project's scenarios folder"));
  for (const auto& [name, framework] : catalog.frameworks_)
    for (const std::string& alias : framework.aliases)
      if (!catalog.aliases_.emplace(alias, name).second)
        throw InputError("framework", fmt::format("alias \"{}\" twice", alias), "one owner an alias",
                         "remove one of them");
  return catalog;
}

const Framework& FrameworkCatalog::framework(const std::string& name) const {
  const auto alias = aliases_.find(name);
  const auto found = frameworks_.find(alias == aliases_.end() ? name : alias->second);
  if (found != frameworks_.end()) return found->second;
  std::vector<std::string> known = names();
  const auto nearest = nearest_word(name, known);
  throw InputError("framework", fmt::format("\"{}\"", name), fmt::format("one of {}", fmt::join(known, ", ")),
                   nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "");
}

const Framework* FrameworkCatalog::published(const std::string& name, const std::string& family) const {
  for (const std::string& key :
       {name + "/" + family, name, without_version(name) + "/" + family, without_version(name)}) {
    const auto alias = aliases_.find(key);
    const auto found = frameworks_.find(alias == aliases_.end() ? key : alias->second);
    if (found != frameworks_.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> FrameworkCatalog::names() const {
  std::vector<std::string> list;
  for (const auto& item : frameworks_) list.push_back(item.first);
  return list;
}

}  // namespace paceline
