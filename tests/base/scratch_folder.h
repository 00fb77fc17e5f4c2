// A folder of a test's own, gone when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace paceline {

class ScratchFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "paceline-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      list.insert(entry.path().filename());
    return list;
  }

  std::string folder_;
};

}  // namespace paceline
