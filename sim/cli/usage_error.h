// What was wrong with a command line, in one line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace paceline::cli {

// Names the nearest subcommand for one that does not exist, and ends with whose help to ask for.
[[nodiscard]] std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace paceline::cli
