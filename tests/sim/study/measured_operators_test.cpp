// The clock that a machine kept, from the times of its matrix products.
#include "sim/study/measured_operators.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/cost/kernel/gemm_time.h"
#include "tests/sim/support/refusal.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

class MeasuredOperators : public test::TempFolder {
 protected:
  [[nodiscard]] std::string table(const std::string& rows) const {
    return write("ops.json", R"({"format": "measured-ops-1", "ops": [)" + rows + "]}");
  }
  static const KernelRates& rates() { return *test::source_catalog().kernel_rates.measured("b200"); }
  static std::string product(double m, double n, double k, double clock, bool adds = false) {
    GemmShape shape{m, n, k};
    shape.output = adds ? 8 : 2;
    const GemmTime burst = gemm_time(*rates().gemm[static_cast<std::size_t>(NumberFormat::bf16)],
                                     rates().multiprocessors, shape);
    return fmt::format(
        R"({{"op": "matmul", "b": 1, "m": {}, "n": {}, "k": {}, "accumulate": {}, "out_dtype": "{}", "time_us": {}}})",
        m, n, k, adds, adds ? "fp32" : "bf16", burst.time.value() / clock * 1e6);
  }
};

// Products of equal work that took 1/0.6, 1/0.7 and 1/0.8 of their time at the burst clock: 0.7 in the middle
// of their times, on the slowest device of a node 5 % less. Small ones, which memory or the launch limits,
// and other operators say nothing of the clock.
TEST_F(MeasuredOperators, GiveTheMedianShareOfTheBurstClock) {
  const std::string file = table(product(8192, 8192, 8192, 0.6) + "," + product(8192, 8192, 8192, 0.7) + "," +
                                 product(8192, 8192, 8192, 0.8) + "," + product(16, 16, 64, 0.1) +
                                 R"(, {"op": "sdp_fwd", "time_us": 1})");
  EXPECT_NEAR(sustained_clock_of(test::source_catalog(), "b200", file).value(), 0.7 / 1.05, 1e-6);
}

// What is added to 32 or 16 bit in place is read and written: 8 and 4 bytes an element.
TEST_F(MeasuredOperators, CountWhatAProductAddsTo) {
  const std::string file = table(product(8192, 8192, 8192, 0.6, true));
  EXPECT_NEAR(sustained_clock_of(test::source_catalog(), "b200", file).value(), 0.6 / 1.05, 1e-6);
}

TEST_F(MeasuredOperators, SayNothingOfAnUnknownDevice) {
  const std::string file = table(product(8192, 8192, 8192, 0.6));
  EXPECT_FALSE(sustained_clock_of(test::source_catalog(), "t4", file));
  EXPECT_FALSE(sustained_clock_of(test::source_catalog(), "b200", table("")));
}

TEST_F(MeasuredOperators, OfAnotherFormatAreRefused) {
  const std::string file = write("other.json", R"({"format": "paceline/study-1", "ops": []})");
  EXPECT_EQ(
      test::refusal([&] { return sustained_clock_of(test::source_catalog(), "b200", file).has_value(); }),
      file + ": /format: found \"paceline/study-1\", expected \"measured-ops-1\"");
}

}  // namespace
}  // namespace paceline
