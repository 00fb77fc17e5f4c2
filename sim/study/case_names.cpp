#include "sim/study/case_names.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace paceline {
namespace {

// Each field that sets cases apart, as it stands in a name.
std::vector<std::string> words_of(const Scenario& scenario) {
  const auto some = [](const char* form, std::int64_t value) {
    return value > 0 ? fmt::format(fmt::runtime(form), value) : std::string();
  };
  const Strategy& strategy = scenario.strategy;
  return {fmt::format("b{}", scenario.batch_per_device),
          std::string(to_string(scenario.precision)),
          some("s{}", scenario.input.sequence),
          some("i{}", scenario.input.image),
          fmt::format("x{}", strategy.accumulation),
          optimizer_names()[static_cast<std::size_t>(strategy.optimizer)],
          strategy.framework,
          some("{}-a-node", scenario.devices_per_node.value_or(0))};
}

using Group = std::vector<std::size_t>;

void add_variants(const std::vector<StudyRow>& rows, const Group& group, std::vector<std::string>& variants) {
  std::vector<std::vector<std::string>> words;
  for (const std::size_t row : group) words.push_back(words_of(rows[row].input.scenario));
  for (std::size_t field = 0; field < words.front().size(); ++field) {
    std::set<std::string> different;
    for (const auto& fields : words) different.insert(fields[field]);
    if (different.size() < 2) continue;
    for (std::size_t member = 0; member < group.size(); ++member) {
      std::string& variant = variants[group[member]];
      const std::string& word = words[member][field];
      if (!word.empty()) variant += (variant.empty() ? "" : "-") + word;
    }
  }
}

std::string plain_name(const Scenario& scenario) {
  return fmt::format("{}-{}-{}-{}", scenario.model, scenario.cluster,
                     strategy_names()[static_cast<std::size_t>(scenario.strategy.kind)], scenario.devices);
}

}  // namespace

std::vector<std::string> case_variants(const std::vector<StudyRow>& rows) {
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (std::size_t row = 0; row < rows.size(); ++row)
    groups[{rows[row].input.scenario.model, rows[row].input.scenario.cluster}].push_back(row);
  std::vector<std::string> variants(rows.size());
  for (const auto& [key, group] : groups) add_variants(rows, group, variants);
  return variants;
}

std::vector<std::string> case_titles(const std::vector<StudyRow>& rows) {
  const std::vector<std::string> variants = case_variants(rows);
  std::vector<std::string> titles;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string& title = rows[row].input.model_title;
    titles.push_back(variants[row].empty() ? title : fmt::format("{} ({})", title, variants[row]));
  }
  return titles;
}

std::vector<std::string> case_names(const std::vector<StudyRow>& rows) {
  const std::vector<std::string> variants = case_variants(rows);
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string name = plain_name(rows[row].input.scenario);
    if (!variants[row].empty()) name += "-" + variants[row];
    // Cases that differ in a switch only are numbered.
    std::string unique = name;
    for (int number = 2; !taken.insert(unique).second; ++number)
      unique = fmt::format("{}-no{}", name, number);
    names.push_back(unique);
  }
  return names;
}

}  // namespace paceline
