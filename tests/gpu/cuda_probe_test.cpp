// Measures a GPU for a moment where there is one: that figures are possible, not that they are good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "probe/cuda_backend.h"

namespace paceline {
namespace {

class CudaProbe : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      backend_ = std::make_unique<CudaBackend>();
    } catch (const DeviceError& error) {
      GTEST_SKIP() << error.what();
    } catch (const Error& error) {
      ASSERT_EQ(error.exit_code(), ExitCode::hardware_missing) << error.what();
      GTEST_SKIP() << error.what();
    }
  }

  [[nodiscard]] Profile probe(Part part) const {
    ProbeRun run;
    run.request = quick_request();
    run.request.parts = {part};
    run.request.effort.budget = milliseconds(20);
    return backend_->probe(run);
  }

  std::unique_ptr<CudaBackend> backend_;
};

template <class Item>
void expect_sound(const std::vector<Item>& items) {
  ASSERT_FALSE(items.empty());
  for (const Item& item : items) {
    EXPECT_GT(item.time.median, Seconds(0));
    EXPECT_LE(item.time.p5, item.time.median);
    EXPECT_GE(item.time.p95, item.time.median);
    EXPECT_GE(item.time.samples, 3);
  }
}

TEST_F(CudaProbe, ProductsAreCheckedAndNoFasterThanAnyDevice) {
  const Profile profile = probe(Part::gemm);
  expect_sound(profile.gemms);
  EXPECT_EQ(profile.backend, "cuda");
  EXPECT_THAT(profile.notes, ::testing::Contains(::testing::HasSubstr("SM clock")));
  for (const auto& gemm : profile.gemms) {
    const double flops = 2.0 * static_cast<double>(gemm.m) * static_cast<double>(gemm.n) *
                         static_cast<double>(gemm.k) * static_cast<double>(gemm.batch);
    // The fastest device of 2025 multiplies dense fp16 at 2.5 PFLOP/s.
    EXPECT_LT(flops / gemm.time.median.value(), 5e15) << gemm.precision << " " << gemm.m;
  }
}

TEST_F(CudaProbe, LargePassesAreNoFasterThanAnyMemory) {
  const Profile profile = probe(Part::memory);
  expect_sound(profile.memory);
  for (const auto& memory : profile.memory) {
    if (memory.bytes < mebibytes(400)) continue;  // smaller ones may stay in the second-level cache
    EXPECT_LT((memory.bytes / memory.time.median).value(), 20e12) << memory.operation;
  }
}

TEST_F(CudaProbe, CopiesGoEachWayPinnedAndNot) {
  const Profile profile = probe(Part::copies);
  expect_sound(profile.copies);
  const auto has = [&](const std::string& direction, bool pinned) {
    for (const auto& copy : profile.copies) {
      if (copy.direction == direction && copy.pinned == pinned) return true;
    }
    return false;
  };
  for (const bool pinned : {true, false}) {
    EXPECT_TRUE(has("host_to_device", pinned));
    EXPECT_TRUE(has("device_to_host", pinned));
  }
  EXPECT_TRUE(has("device_to_device", false));
}

TEST_F(CudaProbe, LaunchesTakeBetweenNanosecondsAndMilliseconds) {
  const Profile profile = probe(Part::launch);
  expect_sound(profile.launches);
  for (const auto& launch : profile.launches) {
    EXPECT_GT(launch.time.median.value(), 1e-8) << launch.what;
    EXPECT_LT(launch.time.median.value(), 1e-2) << launch.what;
  }
}

}  // namespace
}  // namespace paceline
