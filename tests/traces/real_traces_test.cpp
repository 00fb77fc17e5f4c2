// Reads the trace files of the folder named by PACELINE_TRACES, whatever they are: each gives a Timeline that
// survives being written and read again, or one error that says why not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "tests/traces/timeline_difference.h"
#include "traces/analysis/analysis.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

TEST(RealTraces, SurviveReadingWritingAndReading) {
  const char* folder = std::getenv("PACELINE_TRACES");
  if (folder == nullptr) GTEST_SKIP() << "PACELINE_TRACES names no folder of trace files";
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string file = entry.path().string();
    if (!entry.is_regular_file() || file.find(".json") == std::string::npos) continue;
    SCOPED_TRACE(file);
    try {
      const TraceImport import = read_trace(file);
      const TraceImport again = read_trace_bytes(to_chrome_json(import.timeline), file);
      EXPECT_EQ(difference(import.timeline, again.timeline), "");
      EXPECT_EQ(analyze(import.timeline).ranks.size(), analyze(again.timeline).ranks.size());
      ++read;
    } catch (const TraceError& error) {
      std::cout << error.what() << '\n';
    }
  }
  EXPECT_GT(read, 0) << folder;
}

}  // namespace
}  // namespace paceline
