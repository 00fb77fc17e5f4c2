// The rooms of the house and the direction of their includes: base <- traces <- sim <- gui, and base, traces
// <- probe; inside sim a chain of its own. Reads every #include of the tree and refuses what the table below
// lacks.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

// What a room may include besides itself: folders, or single headers. Each entry lists everything, so that a
// row can be read alone.
const std::map<std::string, std::vector<std::string>>& allowed_includes() {
  static const std::map<std::string, std::vector<std::string>> table{
      {"base", {}},
      {"traces", {"base"}},
      {"probe", {"base", "traces"}},
      {"sim/model", {"base"}},
      {"sim/hardware", {"base"}},
      {"sim/strategy", {"base", "sim/model"}},
      {"sim/collective", {"base", "sim/hardware"}},
      {"sim/cost", {"base", "sim/model", "sim/hardware", "sim/strategy", "sim/collective"}},
      {"sim/plan",
       {"base", "traces", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost"}},
      // The engine runs any Program; it knows no strategy, no model and no hardware.
      {"sim/engine", {"base", "traces", "sim/plan/program.h", "sim/plan/schedule.h"}},
      {"sim/analytic", {"base", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost"}},
      {"sim/memory",
       {"base", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost", "sim/plan"}},
      {"sim/study",
       {"base", "traces", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost",
        "sim/plan", "sim/engine", "sim/analytic", "sim/memory"}},
      {"sim/cli",
       {"base", "traces", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost",
        "sim/plan", "sim/engine", "sim/analytic", "sim/memory", "sim/study"}},
      {"gui",
       {"base", "traces", "sim/model", "sim/hardware", "sim/strategy", "sim/collective", "sim/cost",
        "sim/plan", "sim/engine", "sim/analytic", "sim/memory", "sim/study"}},
  };
  return table;
}

// Libraries that only some rooms may know, by the beginning of their headers' names.
struct Reserved {
  std::string_view prefix;
  std::vector<std::string> rooms;
};
const std::vector<Reserved>& reserved_libraries() {
  static const std::vector<Reserved> table{
      {"Q", {"gui"}},      {"cuda", {"probe"}}, {"cupti", {"probe"}},           {"cublas", {"probe"}},
      {"nccl", {"probe"}}, {"nvml", {"probe"}}, {"CLI/", {"sim/cli", "probe"}}, {"simdjson", {"traces"}}};
  return table;
}

struct Include {
  std::string header;
  bool quoted = false;
};

// The includes of a source text, in order; commented-out lines do not count.
std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    at = line.find_first_of("\"<", at + 7);
    if (at == std::string::npos) continue;
    const bool quoted = line[at] == '"';
    const std::size_t end = line.find(quoted ? '"' : '>', at + 1);
    if (end != std::string::npos) found.push_back({line.substr(at + 1, end - at - 1), quoted});
  }
  return found;
}

// "sim/cost/kernel.h" -> "sim/cost", "gui/views/chart.h" -> "gui".
std::string room_of(const std::string& path) {
  const std::size_t first = path.find('/');
  const std::string top = path.substr(0, first);
  if (top != "sim" || first == std::string::npos) return top;
  return path.substr(0, path.find('/', first + 1));
}

bool may_include(const std::string& room, const std::string& header) {
  const auto row = allowed_includes().find(room);
  if (row == allowed_includes().end()) return false;
  if (room_of(header) == room) return true;
  return std::any_of(row->second.begin(), row->second.end(), [&](const std::string& allowed) {
    return header == allowed || header.starts_with(allowed + "/");
  });
}

bool begins_with_library(const std::string& header, std::string_view prefix) {
  if (!header.starts_with(prefix)) return false;
  // Qt headers are Q and a capital letter: <QWidget>, <QtCharts>, unlike <queue>.
  return prefix != "Q" ||
         (header.size() > 1 && (std::isupper(static_cast<unsigned char>(header[1])) || header[1] == 't'));
}

// What is wrong with one include of a file, or nothing.
std::optional<std::string> objection(const std::string& file, const Include& include) {
  const std::string room = room_of(file);
  if (include.quoted) {
    if (!fs::exists(fs::path(PACELINE_SOURCE_DIR) / include.header))
      return file + " includes \"" + include.header +
             "\": quotes are for paths from the root of this repository";
    if (!may_include(room, include.header))
      return file + " includes \"" + include.header + "\", which " + room + " may not";
    return std::nullopt;
  }
  for (const Reserved& library : reserved_libraries()) {
    const bool at_home = std::find(library.rooms.begin(), library.rooms.end(), room) != library.rooms.end();
    if (!at_home && begins_with_library(include.header, library.prefix))
      return file + " includes <" + include.header + ">, a library that " + room + " may not know";
  }
  return std::nullopt;
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh";
}

std::vector<std::string> source_files() {
  std::vector<std::string> files;
  for (const char* top : {"base", "traces", "sim", "probe", "gui"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PACELINE_SOURCE_DIR) / top))
      if (entry.is_regular_file() && is_source(entry.path()))
        files.push_back(entry.path().lexically_relative(PACELINE_SOURCE_DIR).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(fs::path(PACELINE_SOURCE_DIR) / file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Includes, AreReadFromATextInOrder) {
  const auto found = includes_of(
      "#pragma once\n#include <vector>\n  #  include \"base/error.h\"  // why\n// #include \"gui/app.h\"\n"
      "const char* text = \"#include\";\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].header, "vector");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].header, "base/error.h");
  EXPECT_TRUE(found[1].quoted);
}

TEST(Rooms, AreTheTopFolderOrAFolderOfSim) {
  EXPECT_EQ(room_of("base/error.h"), "base");
  EXPECT_EQ(room_of("traces/kineto/reader.cpp"), "traces");
  EXPECT_EQ(room_of("sim/cost/kernel/roofline.h"), "sim/cost");
}

TEST(Rooms, IncludeDownwardsOnly) {
  EXPECT_TRUE(may_include("traces", "base/error.h"));
  EXPECT_FALSE(may_include("base", "traces/timeline.h"));
  EXPECT_FALSE(may_include("probe", "sim/cost/cost.h"));
  EXPECT_FALSE(may_include("sim/model", "sim/hardware/device.h"));
  EXPECT_FALSE(may_include("sim/study", "gui/app.h"));
  EXPECT_FALSE(may_include("gui", "sim/cli/command.h"));
}

TEST(Rooms, EngineSeesTheProgramAndNoOtherPartOfPlan) {
  EXPECT_TRUE(may_include("sim/engine", "sim/plan/program.h"));
  EXPECT_FALSE(may_include("sim/engine", "sim/plan/program.h.old"));
  EXPECT_FALSE(may_include("sim/engine", "sim/plan/stage.h"));
  EXPECT_FALSE(may_include("sim/engine", "sim/strategy/strategy.h"));
}

TEST(Rooms, ALibraryStaysInItsRoom) {
  EXPECT_FALSE(objection("gui/views/chart.cpp", {"QWidget", false}));
  EXPECT_TRUE(objection("sim/study/sweep.cpp", {"QWidget", false}));
  EXPECT_FALSE(objection("sim/study/sweep.cpp", {"queue", false}));
  EXPECT_TRUE(objection("base/profile.cpp", {"cuda_runtime.h", false}));
  EXPECT_FALSE(objection("sim/cli/main.cpp", {"CLI/CLI.hpp", false}));
}

TEST(Architecture, EveryRoomIsInTheTable) {
  const std::vector<std::string> files = source_files();
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files)
    EXPECT_TRUE(allowed_includes().contains(room_of(file))) << file << " is in no room of the table";
}

TEST(Architecture, NoFileIncludesWhatItsRoomMayNot) {
  std::vector<std::string> objections;
  for (const std::string& file : source_files())
    for (const Include& include : includes_of(text_of(file)))
      if (const auto found = objection(file, include)) objections.push_back(*found);
  EXPECT_THAT(objections, testing::IsEmpty());
}

TEST(Architecture, EveryHeaderIsGuarded) {
  for (const std::string& file : source_files()) {
    if (!file.ends_with(".h") && !file.ends_with(".cuh")) continue;
    EXPECT_THAT(text_of(file), testing::HasSubstr("#pragma once")) << file;
  }
}

}  // namespace
