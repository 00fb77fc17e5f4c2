// When DDP's all-reduces run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/plan/plain_hardware.h"

namespace paceline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// One tensor of four bytes in each of three layers, each a bucket; below them 2 ms of backward without
// tensors.
class ThreeBuckets : public ::testing::Test {
 protected:
  ThreeBuckets() {
    model_.parameters = {{"a", 1}, {"b", 1}, {"c", 1}};
    model_.layers = {test::lasting(0, 2, {}), test::lasting(0, 10, {0}), test::lasting(0, 10, {1}),
                     test::lasting(0, 10, {2})};
    strategy_.kind = StrategyKind::distributed_data_parallel;
    strategy_.first_bucket = strategy_.bucket_cap = Bytes(1);
  }

  void run() {
    const HardwareCatalog& hardware = test::source_catalog().hardware;
    const KernelCost kernels = hardware_.kernels();
    const CollectiveCost collectives(hardware, hardware.cluster("dgx-1v"), &profile_);
    program_ = test::undisturbed(
        plan({model_, strategy_, hardware_.framework, kernels, collectives, 2, 8, 1, 2, ComputeScale{}}));
    const Schedule schedule = paceline::run(program_);
    finish_ = schedule.finish * 1e3;
    for (OpId op = 0; op < program_.operations.size(); ++op) {
      const Operation& operation = program_.operations[op];
      if (operation.family == Family::kernel && program_.strings[operation.name].ends_with("backward"))
        backward_end_ = schedule.end[op] * 1e3;
      if (operation.kind != OpKind::communication) continue;
      if (program_.communications[operation.communication].kind != CommunicationKind::all_reduce) continue;
      starts_.push_back(schedule.all_present[operation.communication] * 1e3);
      ends_.push_back(schedule.end[op] * 1e3);
    }
  }

  Model model_;
  Strategy strategy_;
  test::PlainHardware hardware_;
  Profile profile_ = test::all_reduces_of(15);
  Program program_;
  std::vector<double> starts_, ends_;
  double finish_ = 0, backward_end_ = 0;
};

// Copies of four bytes take 8 ns each; nothing else is rounded.
constexpr double ms_of_copies = 1e-4;
auto near(double ms) { return DoubleNear(ms, ms_of_copies); }

// Ready r = 10, 20, 30 ms, a = 15 ms each, backward ends at 32 ms. s_i = max(r_i, e_(i-1)), e_i = s_i + a:
// starts 10 25 40, ends 25 40 55; exposed 55 - 32 = 23. A DDP logger would say: communication 55 - 10 = 45,
// overlap 32 - 10 = 22.
TEST_F(ThreeBuckets, QueueBehindEachOther) {
  run();
  EXPECT_THAT(starts_, ElementsAre(near(10), near(25), near(40)));
  EXPECT_THAT(ends_, ElementsAre(near(25), near(40), near(55)));
  EXPECT_THAT(backward_end_, near(32));
  EXPECT_THAT(ends_.back() - starts_.front(), near(45));
  EXPECT_THAT(backward_end_ - starts_.front(), near(22));
  EXPECT_THAT(finish_, near(55));
}

// All of them after backward: 32, 47, 62; the step ends at 77 ms.
TEST_F(ThreeBuckets, WithoutOverlapStartAfterBackward) {
  strategy_.overlap = false;
  run();
  EXPECT_THAT(starts_, ElementsAre(near(32), near(47), near(62)));
  EXPECT_THAT(finish_, near(77));
}

// One bucket of all: ready at 30 ms, ends at 45.
TEST_F(ThreeBuckets, TogetherAreReadyWhenTheLastTensorIs) {
  strategy_.first_bucket = strategy_.bucket_cap = Bytes(12);
  run();
  EXPECT_THAT(starts_, ElementsAre(near(30)));
  EXPECT_THAT(finish_, near(45));
}

// Registration order, reversed: c, b, a. The bucket of c is the first again, but the small first limit now
// belongs to a: with limits 4 and 8 B the buckets are {a} and {b, c}, reduced as {b, c}, {a}: ready at 20
// and 30.
TEST_F(ThreeBuckets, InRegistrationOrderReducesTheFirstLayersLast) {
  strategy_.find_unused_parameters = true;
  strategy_.first_bucket = Bytes(4);
  strategy_.bucket_cap = Bytes(8);
  run();
  EXPECT_THAT(starts_, ElementsAre(near(20), near(35)));
}

// Two micro-batches: the first runs without communication (32 ms and 12 B x 3 of adding), then as above.
TEST_F(ThreeBuckets, AreReducedOnceAStepWhateverTheMicroBatches) {
  strategy_.accumulation = 2;
  run();
  EXPECT_THAT(starts_, ElementsAre(near(42), near(57), near(72)));
}

// The slower rank of two sets the pace: spread sqrt(2 ln 2) of 1 % of 32 ms, once, before the last bucket
// ends.
TEST_F(ThreeBuckets, WaitForTheSlowestRankOnce) {
  hardware_.library.time_spread = 0.01;
  run();
  EXPECT_THAT(finish_, near(55 + 0.01 * 32 * std::sqrt(2 * std::log(2))));
}

}  // namespace
}  // namespace paceline
