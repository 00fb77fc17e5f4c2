#include "sim/cli/usage_error.h"

#include <fmt/format.h>

#include <cctype>

#include "base/error.h"
#include "base/json_reader.h"

namespace paceline::cli {
namespace {

// "A subcommand is required" -> "a subcommand is required"; "FILE is required" stays.
std::string begun_small(std::string text) {
  const auto is_lower = [&](std::size_t at) {
    return std::islower(static_cast<unsigned char>(text[at])) != 0;
  };
  if (text.size() > 1 && (is_lower(1) || text[1] == ' '))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string problem_of(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(subcommand->get_name());
  const std::vector<std::string> rest = app.remaining(true);
  if (names.empty() || rest.empty() || rest.front().starts_with('-')) return begun_small(error.what());
  const auto nearest = nearest_word(rest.front(), names);
  return InputError("subcommand", fmt::format("\"{}\"", rest.front()),
                    fmt::format("one of {}", fmt::join(names, ", ")),
                    nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "")
      .what();
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const std::string problem = problem_of(app, *command, error);
  return fmt::format("{}{} see {} --help", problem, problem.ends_with('?') ? "" : ";", name);
}

}  // namespace paceline::cli
