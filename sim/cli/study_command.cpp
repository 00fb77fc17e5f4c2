#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <mutex>

#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/study.h"
#include "sim/study/study_files.h"

namespace paceline::cli {
namespace {

struct Options {
  std::string file, output, profile;
};

// A line that rewrites itself, on a terminal only.
class ProgressLine {
 public:
  void operator()(std::size_t done, std::size_t all) {
    if (!terminal_) return;
    const std::lock_guard lock(mutex_);
    if (done <= shown_) return;  // threads may arrive out of order
    shown_ = done;
    fmt::print(stderr, "\r{} of {} cases", done, all);
    if (done == all) fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::mutex mutex_;
  std::size_t shown_ = 0;
};

void run(const Options& options, const CommonOptions& common) {
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  const Study study = about(options.file, [&] { return read_study(catalog, options.file); });
  std::optional<Profile> profile;
  if (!options.profile.empty()) profile = read_profile(options.profile);
  const std::string folder = options.output.empty() ? "out/" + study.name : options.output;
  check_output_folder(folder);  // before the work, not after it
  ProgressLine line;
  const auto rows = about(options.file, [&] {
    return run_study(catalog, study, profile ? &*profile : nullptr, true,
                     [&line](std::size_t done, std::size_t all) { line(done, all); });
  });
  const auto files = write_study(study, rows, folder);
  fmt::print("{}\n\n{}\n", study.title, to_text(study_table(rows)));
  fmt::print("{} files in {}: table.md, table.csv, result.json, speedup.svg, memory.svg, timelines/\n",
             files.size(), folder);
}

}  // namespace

void add_study(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("study", "compare many scenarios: table, charts and timelines");
  command->add_option("FILE", options->file, "a paceline/study-1 file")->required();
  command->add_option("-o,--output", options->output,
                      "folder for the results (default: out/<name of the study>)");
  command->add_option("--profile", options->profile,
                      "measurements of paceline-probe to use where they apply");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
