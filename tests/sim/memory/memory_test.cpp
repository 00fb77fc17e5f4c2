// Peaks of small programs.
#include "sim/memory/memory.h"

#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "tests/sim/engine/program_builder.h"

namespace paceline {
namespace {

class SmallProgram : public ::testing::Test {
 protected:
  SmallProgram() : ranks_(test::add_rank(program_, "GPU 0")) {
    first_ = test::add_local(program_, ranks_.compute, 1);
    second_ = test::add_local(program_, ranks_.compute, 2);
    program_.operations[first_].phase = program_.phase("forward");
    program_.operations[second_].phase = program_.phase("backward");
  }
  void change(double bytes, OpId op, bool at_end, MemoryCause cause = MemoryCause::activations) {
    program_.memory.push_back({op, ranks_.id, at_end, cause, Bytes(bytes)});
  }
  [[nodiscard]] RankMemory memory() const { return memory_by_rank(program_, run(program_)).at(0); }

  Program program_;
  test::BuiltRank ranks_;
  OpId first_ = 0, second_ = 0;
};

// 100 held; + 30 at the end of the first (1 s), + 50 at the start of the second (1 s), - 80 at its end:
// 100, 130, 180, 100.
TEST_F(SmallProgram, PeaksWhenMostIsHeld) {
  change(100, no_id, false, MemoryCause::parameters);
  change(30, first_, true);
  change(50, second_, false, MemoryCause::outputs);
  change(-30, second_, true);
  change(-50, second_, true, MemoryCause::outputs);
  const RankMemory peak = memory();
  EXPECT_EQ(peak.peak, Bytes(180));
  EXPECT_EQ(peak.peak_time, Seconds(1));
  EXPECT_EQ(peak.peak_phase, "backward");
  EXPECT_EQ(peak.at_peak[static_cast<std::size_t>(MemoryCause::parameters)], Bytes(100));
  EXPECT_EQ(peak.at_peak[static_cast<std::size_t>(MemoryCause::activations)], Bytes(30));
  EXPECT_EQ(peak.at_peak[static_cast<std::size_t>(MemoryCause::outputs)], Bytes(50));
}

// 40 freed and 50 taken at the same moment make 50, not 90.
TEST_F(SmallProgram, FreesBeforeItAllocatesAtTheSameMoment) {
  change(50, second_, false);
  change(40, first_, false);
  change(-40, first_, true);
  EXPECT_EQ(memory().peak, Bytes(50));
}

TEST_F(SmallProgram, HeldBeforeTheStepIsItsOwnPhase) {
  change(7, no_id, false);
  EXPECT_EQ(memory().peak_phase, "before the step");
  EXPECT_EQ(memory().peak_time, Seconds(0));
}

// Largest over mean of all real ranks: 30 and seven times 10: 30 / (100 / 8) = 2.4.
TEST(MemoryImbalance, CountsEveryRank) {
  RankMemory first, others;
  first.peak = Bytes(30);
  others.peak = Bytes(10);
  others.multiplicity = 7;
  EXPECT_DOUBLE_EQ(memory_imbalance({first, others}), 2.4);
  EXPECT_DOUBLE_EQ(memory_imbalance({first}), 1);
}

}  // namespace
}  // namespace paceline
