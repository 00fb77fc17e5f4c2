#include "base/file.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/base/message_of.h"
#include "tests/base/scratch_folder.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using File = ScratchFolder;

TEST_F(File, ComesBackAsItWasWritten) {
  const std::string content("a\0b\r\n\xff", 6);
  write_file(path("f"), content);
  EXPECT_EQ(read_file(path("f")), content);
  write_file(path("f"), "");
  EXPECT_EQ(read_file(path("f")), "");
}

TEST_F(File, IsReplacedWholeAndLeavesNothingBesideIt) {
  write_file(path("f"), "old and long");
  write_file(path("f"), "new");
  EXPECT_EQ(read_file(path("f")), "new");
  EXPECT_THAT(names(), ElementsAre("f"));
}

TEST_F(File, ThatIsMissingOrAFolderCannotBeRead) {
  EXPECT_EQ(message_of([&] { static_cast<void>(read_file(path("none"))); }),
            path("none") +
                ": found No such file or directory, expected a file that can be read; check the path and "
                "the permissions");
  EXPECT_EQ(message_of([&] { static_cast<void>(read_file(folder_)); }),
            folder_ + ": found a folder, expected a file; name a file in it");
}

// Root may write anywhere, so the places below are impossible for everybody.
TEST_F(File, ThatCannotBeWrittenLeavesNothing) {
  fs::create_directory(path("folder"));
  write_file(path("file"), "kept");
  for (const std::string& place : {path("folder"), path("none/f"), path("file/f")}) {
    EXPECT_THAT(message_of([&] { write_file(place, "x"); }), StartsWith(place + ": found ")) << place;
    EXPECT_THAT(message_of([&] { check_output(place); }), StartsWith(place + ": found ")) << place;
  }
  EXPECT_THAT(names(), ElementsAre("file", "folder"));
  EXPECT_TRUE(fs::is_empty(path("folder")));
  EXPECT_EQ(read_file(path("file")), "kept");
}

TEST_F(File, CheckingAnOutputWritesNothing) {
  check_output("-");
  check_output(path("f"));
  check_output("/dev/null");
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(File, ADeviceStaysADevice) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(message_of([] { write_file("/dev/full", "x"); }), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, BehindALinkIsReplacedAndTheLinkKept) {
  write_file(path("real"), "old");
  fs::create_symlink("real", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real")), "new");
}

TEST_F(File, OutputFoldersAreMadeWithTheirParents) {
  check_output_folder(path("a/b"));
  EXPECT_THAT(names(), IsEmpty()) << "checking made something";
  make_output_folder(path("a/b"));
  EXPECT_TRUE(fs::is_directory(path("a/b")));
  make_output_folder(path("a/b"));
  check_output_folder(path("a/b/"));
}

TEST_F(File, AFileIsNoOutputFolder) {
  write_file(path("f"), "");
  for (const std::string& place : {path("f"), path("f/out"), path("f/out/deep")}) {
    EXPECT_THAT(message_of([&] { make_output_folder(place); }), HasSubstr("expected a folder")) << place;
    EXPECT_THAT(message_of([&] { check_output_folder(place); }),
                HasSubstr("the file \"" + path("f") + "\" in its place"))
        << place;
  }
}

}  // namespace
}  // namespace paceline
