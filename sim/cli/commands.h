// The subcommands of `paceline`, one file each. None has logic of its own: they read arguments, call the library and
// print.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace paceline::cli {

struct CommonOptions {
  std::string data_folder;  // --data
};

// Each adds its subcommand to `app`; its callback throws paceline::Error and may set `exit_code`.
void add_study(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_predict(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_validate(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_list(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_model(CLI::App& app, const CommonOptions& common, int& exit_code);
void add_trace(CLI::App& app, const CommonOptions& common, int& exit_code);

}  // namespace paceline::cli
