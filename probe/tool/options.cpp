#include "probe/tool/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "probe/cpu/blas.h"
#include "probe/cuda_backend.h"

namespace paceline {
namespace {

std::string version_text() {
  return fmt::format("paceline-probe {}\ncpu: {}\ncuda: {}", PACELINE_VERSION, blas_description(),
                     CudaBackend::is_built() ? "built in (loaded when asked for)" : "not in this build");
}

std::set<Part> parts_named(const std::vector<std::string>& names) {
  if (names.empty()) return all_parts();
  std::set<Part> parts;
  for (const std::string& name : names) {
    const auto found = std::find(part_names().begin(), part_names().end(), name);
    parts.insert(static_cast<Part>(found - part_names().begin()));
  }
  return parts;
}

struct Arguments {
  std::string device;
  std::string output;
  std::vector<std::string> only;
  int ranks = 0;
  bool quick = false;
};

void declare(CLI::App& app, Arguments& arguments) {
  app.add_option("--device", arguments.device, "What to measure: cpu or cuda")
      ->required()
      ->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_flag("--quick", arguments.quick, "Fewer sizes and less certainty: seconds instead of minutes");
  app.add_option("--output", arguments.output,
                 "Write the profile (JSON) to this file, - for standard output");
  app.add_option("--only", arguments.only, "Parts to measure: gemm, memory, copies, collectives, launch")
      ->delimiter(',')
      ->check(CLI::IsMember(part_names()));
  app.add_option("--ranks", arguments.ranks, "Processes in a collective (default: 2, 4, ... up to the CPUs)")
      ->check(CLI::Range(2, 64));
  app.set_version_flag("--version", [] { return version_text(); });
}

ProbeOptions options_from(const Arguments& arguments) {
  ProbeOptions options;
  options.device = arguments.device;
  options.output = arguments.output;
  options.request = arguments.quick ? quick_request() : ProbeRequest{};
  options.request.parts = parts_named(arguments.only);
  // A device's memory is there to be used, and what is not free is not asked for.
  if (options.device == "cuda") options.request.memory_limit = gibibytes(4);
  if (arguments.ranks > 0) options.request.ranks = arguments.ranks;
  const bool collectives_named =
      std::find(arguments.only.begin(), arguments.only.end(), "collectives") != arguments.only.end();
  if (options.device == "cuda" && (collectives_named || options.request.ranks)) {
    throw InputError("--only collectives, --ranks", "--device cuda", "--device cpu",
                     "for collectives between GPUs run nccl-tests");
  }
  return options;
}

}  // namespace

std::optional<ProbeOptions> parse_options(int argc, const char* const* argv) {
  CLI::App app{"Measures what this machine's hardware can do and writes a Paceline profile.",
               "paceline-probe"};
  Arguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_text) {
    app.exit(asked_for_text);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see paceline-probe --help", error.what()), ExitCode::bad_input);
  }
  return options_from(arguments);
}

}  // namespace paceline
