#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "sim/cli/commands.h"
#include "sim/cli/usage_error.h"
#include "sim/cli/version.h"

namespace {

int fail(const std::string& message, paceline::ExitCode code) {
  fmt::print(stderr, "paceline: {}\n", message);
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace paceline;
  CLI::App app{"Predicts how fast distributed training runs, and what each GPU's memory holds.", "paceline"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.fallthrough();  // --data may stand behind the subcommand
  cli::CommonOptions common;
  app.add_option("--data", common.data_folder, "the scenarios folder, if not the one beside the program");
  int exit_code = 0;
  cli::add_study(app, common, exit_code);
  cli::add_predict(app, common, exit_code);
  cli::add_collective(app, common, exit_code);
  cli::add_validate(app, common, exit_code);
  cli::add_fit(app, common, exit_code);
  cli::add_list(app, common, exit_code);
  cli::add_model(app, common, exit_code);
  cli::add_diagnose(app, common, exit_code);
  cli::add_import(app, common, exit_code);
  cli::add_topology(app, common, exit_code);
  cli::add_trace(app, common, exit_code);
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) return fail("standard output cannot be written to", ExitCode::other);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(cli::usage_message(app, error), ExitCode::bad_input);
  } catch (const Error& error) {
    return fail(error.what(), error.exit_code());
  } catch (const std::exception& error) {
    return fail(error.what(), ExitCode::other);
  }
}
