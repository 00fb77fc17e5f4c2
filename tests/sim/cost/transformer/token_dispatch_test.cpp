// Tokens on their way to experts: how often each is sent, and what it costs.
#include "sim/cost/transformer/token_dispatch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/cost/transformer/expert_layer.h"
#include "tests/sim/cost/transformer/expert_setting.h"

namespace paceline {
namespace {

using test::eight_ranks;
using test::ExpertCase;
using test::ExpertSetting;
using test::time_of;

// Start 0, 1 GB/s: time x rate / (Ts h 2 B) is the number of copies that leave a rank.
double copies_sent(Dispatcher dispatcher, int ranks) {
  ExpertCase what = eight_ranks();
  what.parallel.dispatcher = dispatcher;
  what.parallel.degrees.expert = ranks;
  what.domain = 128;
  DispatchRates rates;
  rates.domains = {{"link", 128, BytesPerSecond(1e9)}};
  rates.network = BytesPerSecond(1e9);
  const ExpertSetting setting(what);
  LayerContext context = setting.context();
  context.dispatch = {&rates, "link", 128, BytesPerSecond(1e9), BytesPerSecond(1e9)};
  const Exchange exchange =
      token_exchange(context, setting.block(), DispatchLeg::dispatch, Direction::forward);
  return exchange.time->value() * 1e9 / (4096.0 * 4096 * 2);
}

// k = 8 random experts stand on c(n) = n (1 - (1 - 1/n)^8) ranks: c(8) = 5.251, of which 7/8 are others.
RC_GTEST_PROP(TokenDispatch, ATokenIsSentOnceToARankOrOnceForEachExpert, ()) {
  const int ranks = 1 << *rc::gen::inRange(1, 8);
  const double n = ranks, once = n * (1 - std::pow(1 - 1 / n, 8));
  for (const Dispatcher dispatcher : {Dispatcher::deep_ep, Dispatcher::hybrid_ep})
    RC_ASSERT(std::abs(copies_sent(dispatcher, ranks) - once * (n - 1) / n) < 1e-9);
  RC_ASSERT(std::abs(copies_sent(Dispatcher::all_to_all, ranks) - 8 * (n - 1) / n) < 1e-9);
  RC_ASSERT(once <= std::min(8.0, n));
}

TEST(TokenDispatch, The8BitDispatchLeavesTheWayBackAlone) {
  ExpertCase what = eight_ranks();
  const ExpertSetting wide(what);
  what.parallel.fp8_dispatch = true;
  const ExpertSetting narrow(what);
  const LayerPart in_16 = expert_part(wide.context(), wide.block());
  const LayerPart in_8 = expert_part(narrow.context(), narrow.block());
  const Seconds start = wide.context().dispatch.rates->start;
  EXPECT_NEAR((time_of(in_8.forward, "dispatch") - start) / (time_of(in_16.forward, "dispatch") - start),
              0.54, 1e-9);
  EXPECT_EQ(time_of(in_8.forward, "combine"), time_of(in_16.forward, "combine"));
  EXPECT_EQ(time_of(in_8.backward), time_of(in_16.backward));
}

RC_GTEST_PROP(TokenDispatch, BalancedRoutingIsALowerBound, ()) {
  ExpertCase what = eight_ranks();
  what.parallel.dispatcher = static_cast<Dispatcher>(*rc::gen::inRange(0, 3));
  what.parallel.grouped_experts = *rc::gen::arbitrary<bool>();
  const ExpertSetting balanced(what);
  what.parallel.expert_imbalance = 1 + *rc::gen::inRange(1, 200) / 100.0;
  const ExpertSetting skewed(what);
  const LayerPart even = expert_part(balanced.context(), balanced.block());
  const LayerPart uneven = expert_part(skewed.context(), skewed.block());
  // Another number of rows may meet a better tile: 5 % is the model's own unevenness.
  RC_ASSERT(time_of(uneven.forward) > time_of(even.forward) * 0.95);
  RC_ASSERT(time_of(uneven.backward) > time_of(even.backward) * 0.95);
  RC_ASSERT(time_of(uneven.forward, "dispatch") > time_of(even.forward, "dispatch"));
}

TEST(TokenDispatch, OneRankSendsNothing) {
  ExpertCase what = eight_ranks();
  what.parallel.degrees.expert = 1;
  const ExpertSetting setting(what);
  const LayerPart part = expert_part(setting.context(), setting.block());
  EXPECT_EQ(time_of(part.forward, "dispatch") + time_of(part.backward, "dispatch"), Seconds(0));
}

}  // namespace
}  // namespace paceline
