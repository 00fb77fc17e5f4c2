// What exchanges add to a pass, by their cover.
#include "sim/cost/transformer/pass_time.h"

#include <gtest/gtest.h>

#include "tests/sim/support/split_case.h"

namespace paceline {
namespace {

class PassTimes : public ::testing::Test {
 protected:
  PassTimes() : case_(test::split_scenario(8)) {}

  // 10 ms of kernels in two, after an exchange of `time`.
  static Pass pass(Seconds time, const Cover& cover) {
    Pass pass;
    Exchange exchange;
    exchange.time = time;
    exchange.cover = cover;
    pass.add(exchange);
    for (const double length : {0.004, 0.006})
      pass.add(Kernel{"product", Seconds(length), Flops(1e12), Bytes(0)});
    return pass;
  }
  [[nodiscard]] double exposed(double time, const Cover& cover) const {
    return pass_time(pass(Seconds(time), cover), case_.step().groups).exposed.value();
  }

  test::SplitCase case_;
};

TEST_F(PassTimes, AnExchangeThatBlocksIsExposedWhole) { EXPECT_NEAR(exposed(0.003, {}), 0.003, 1e-12); }

// Beside both kernels, of which 0.8 can be used, w = 8 ms. 5 ms: 0.15 x 5. 12 ms: 12 - 8 + 0.15 x 8. Beside
// the first alone, w = 3.2 ms: 5 - 3.2 + 0.15 x 3.2.
TEST_F(PassTimes, AnExchangeBesideKernelsIsExposedWhereItSticksOut) {
  EXPECT_NEAR(exposed(0.005, {.blocking = 0, .covered = 0.8, .slowdown = 0.15, .beside = 2}), 0.00075, 1e-12);
  EXPECT_NEAR(exposed(0.012, {.blocking = 0, .covered = 0.8, .slowdown = 0.15, .beside = 2}), 0.0052, 1e-12);
  EXPECT_NEAR(exposed(0.005, {.blocking = 0, .covered = 0.8, .slowdown = 0.15, .beside = 1}), 0.00228, 1e-12);
}

// A part blocks: 0.36 x 5 + 0; beside the whole pass: 0.22 x 10 + 0.26 x 7.8.
TEST_F(PassTimes, PartOfAnExchangeMayBlock) {
  EXPECT_NEAR(exposed(0.005, {.blocking = 0.36, .covered = 1, .slowdown = 0, .beside = 2}), 0.0018, 1e-12);
  EXPECT_NEAR(exposed(0.010, {.blocking = 0.22, .covered = 1, .slowdown = 0.26, .beside = whole_pass}),
              0.0022 + 0.26 * 0.0078, 1e-12);
}

TEST_F(PassTimes, TheHostIsTheLeast) {
  Pass slow = pass(Seconds(0.001), {});
  slow.host = Seconds(0.020);
  EXPECT_NEAR(pass_time(slow, case_.step().groups).total().value(), 0.020, 1e-12);
  slow.host = Seconds(0.002);
  EXPECT_NEAR(pass_time(slow, case_.step().groups).total().value(), 0.011, 1e-12);
}

// 2 (n - 1) / n of an all-reduce, (n - 1) / n of its halves.
TEST_F(PassTimes, BytesSentAreThoseOfARing) {
  Exchange exchange;
  exchange.message = Bytes(800);
  EXPECT_EQ(bytes_sent(exchange, 8).value(), 1400);
  exchange.kind = CollectiveKind::all_gather;
  EXPECT_EQ(bytes_sent(exchange, 8).value(), 700);
  EXPECT_EQ(bytes_sent(exchange, 1).value(), 0);
}

}  // namespace
}  // namespace paceline
