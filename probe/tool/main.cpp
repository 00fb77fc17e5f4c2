// paceline-probe: measures this machine and writes a Profile.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "probe/cpu/blas.h"
#include "probe/cpu/cpu_probe.h"
#include "probe/cuda_backend.h"
#include "probe/report.h"
#include "probe/tool/options.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;

// Before measuring: nobody should wait minutes to learn that the result cannot be kept.
void check_output(const std::string& output) {
  if (output.empty() || output == "-") return;
  std::error_code status;
  if (fs::is_directory(output, status)) throw InputError(output, "a folder", "a file", "name a file in it");
  const fs::path parent = fs::path(output).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (fs::is_directory(folder, status) && ::access(folder.c_str(), W_OK) == 0) return;
  const std::string reason = fs::exists(folder, status) ? std::strerror(errno) : "no folder " + folder;
  throw InputError(output, reason, "a place that can be written to", "choose another output");
}

// One line that is overwritten where somebody is watching, and gone at the end, before any error message.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() { show(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& what) const {
    if (!watched_) return;
    fmt::print(stderr, "\r\033[K{}", what);
    std::fflush(stderr);
  }

 private:
  bool watched_ = ::isatty(STDERR_FILENO) != 0;
};

// Starts again with kernels that fit the processor where OpenBLAS, which reads the variable only when it is
// loaded, has chosen others: a profile is to say what the hardware can do. The variable, once set, keeps this
// from repeating.
void restart_with_better_blas(char** argv) {
  const auto kernels = better_blas_kernels();
  if (!kernels || ::setenv("OPENBLAS_CORETYPE", kernels->c_str(), 0) != 0) return;
  if (*kernels != std::getenv("OPENBLAS_CORETYPE")) return;  // somebody else's choice stands
  ::execv("/proc/self/exe", argv);  // returns only if it fails: then measure as we are
}

Profile probe(const ProbeOptions& options) {
  const ProgressLine line;
  ProbeRun run;
  run.request = options.request;
  run.progress = [&line](const std::string& what) { line.show(what); };
  return options.device == "cuda" ? CudaBackend().probe(run) : probe_cpu(run);
}

void run_tool(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  check_output(options->output);
  if (options->device == "cpu") restart_with_better_blas(argv);
  const Profile profile = probe(*options);
  if (options->output != "-") fmt::print("{}", profile_report(profile));
  if (!options->output.empty()) write_output(options->output, to_json(profile));
}

}  // namespace
}  // namespace paceline

int main(int argc, char** argv) {
  try {
    paceline::run_tool(argc, argv);
    return static_cast<int>(paceline::ExitCode::done);
  } catch (const paceline::Error& error) {
    fmt::print(stderr, "paceline-probe: {}\n", error.what());
    return static_cast<int>(error.exit_code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "paceline-probe: {}\n", error.what());
    return static_cast<int>(paceline::ExitCode::other);
  }
}
