// Where the data is looked for.
#include "sim/study/catalog.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

class DataFolder : public test::TempFolder {
 protected:
  void TearDown() override {
    unsetenv("PACELINE_DATA");
    TempFolder::TearDown();
  }
};

TEST_F(DataFolder, IsTheOneThatIsGiven) {
  EXPECT_EQ(find_data_folder(folder_.string()), folder_.string());
  EXPECT_EQ(test::refusal([&] { return find_data_folder(path("none")); }),
            "--data: found \"" + path("none") + "\", expected a folder; name the project's scenarios folder");
}

TEST_F(DataFolder, IsTheEnvironmentsBeforeTheSourceTrees) {
  EXPECT_EQ(find_data_folder(""), test::data_folder());
  std::filesystem::create_directories(folder_ / "devices");
  setenv("PACELINE_DATA", folder_.c_str(), 1);
  EXPECT_EQ(find_data_folder(""), folder_.string());
}

TEST_F(DataFolder, ThatIsEmptyIsRefused) {
  EXPECT_THROW(static_cast<void>(Catalog::load(folder_.string())), InputError);
}

}  // namespace
}  // namespace paceline
