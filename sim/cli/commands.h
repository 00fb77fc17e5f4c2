// The subcommands of `paceline`, one file each. None has logic of its own: they read arguments, call the
// library and print.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/error.h"

namespace paceline::cli {

struct CommonOptions {
  std::string data_folder;  // --data
};

// An error about a field, such as an unknown cluster, also names the file that the field stands in.
template <class Ask>
auto about(const std::string& file, Ask ask) {
  try {
    return ask();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(file + ":")) throw;
    throw Error(file + ": " + message, error.exit_code());
  }
}

// Each adds its subcommand to `app`; its callback throws paceline::Error and may set `exit_code`.
void add_study(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_predict(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_validate(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_fit(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_collective(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_list(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_model(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_diagnose(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_import(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_topology(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_trace(CLI::App& app, const CommonOptions& common, int& exit_code);

}  // namespace paceline::cli
