// The "experts" object of a framework's file.
#include "sim/strategy/expert_rules.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/strategy/framework.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::refusal;

ExpertRules read(const std::string& text, const ExpertRules& base = {}) {
  return read_expert_rules(JsonValue::parse_text(text, "f.json"), base);
}

ExpertRules known() {
  ExpertRules rules;
  rules.known = true;
  rules.one_by_one = 1.25;
  rules.synchronisation = microseconds(60);
  return rules;
}

TEST(ExpertRules, KeepWhatAReleaseDoesNotChange) {
  const ExpertRules rules = read(
      R"({"host": {"overlap": 1.5, "expert": {"forward": "30us"}}, "dispatcher": "hybridep", "grouped": true})",
      known());
  EXPECT_EQ(rules.overlap, 1.5);
  EXPECT_EQ(rules.host_expert, microseconds(30));
  EXPECT_EQ(rules.host_expert_factor.backward, 2);
  EXPECT_EQ(rules.dispatcher, Dispatcher::hybrid_ep);
  EXPECT_TRUE(rules.grouped);
  EXPECT_EQ(rules.one_by_one, 1.25);
  EXPECT_EQ(rules.synchronisation, microseconds(60));
  EXPECT_TRUE(rules.known);
}

TEST(ExpertRules, AreCompleteWhereNothingIsExtended) {
  EXPECT_EQ(refusal([] { return read("{}"); }),
            "f.json: /: found no field \"element_wise\", expected it; add the field");
}

TEST(ExpertRules, RefuseWordsThatNobodyKnows) {
  EXPECT_EQ(refusal([] { return read(R"({"dispatcher": "hybrid"})", known()); }),
            "f.json: /dispatcher: found \"hybrid\", expected one of alltoall, deepep, hybridep; "
            "did you mean \"hybridep\"?");
  EXPECT_EQ(refusal([] { return read(R"({"host": {"overlaps": 1.5}})", known()); }),
            "f.json: /host: found an unknown field \"overlaps\", expected one of arm, attention, expert, "
            "graph_attention, graph_router, overlap, router, synchronisation, token_drop; did you mean "
            "\"overlap\"?");
}

// Releases by the names of their publications: tokens were dropped in 25.09, overlapping was dear in 26.02,
// and 26.06 and later run the experts of a rank in one kernel.
TEST(ExpertRules, OfReleasesAreFoundByTheirPublishedNames) {
  const FrameworkCatalog catalog =
      FrameworkCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios/frameworks");
  const auto release = [&](const std::string& name) {
    return catalog.framework("megatron-bridge (NeMo " + name + ")").transformer->experts;
  };
  EXPECT_TRUE(release("25.09").drops_tokens);
  EXPECT_FALSE(release("25.11").drops_tokens);
  EXPECT_EQ(release("26.02.01").overlap, 1.57);
  EXPECT_EQ(release("26.04.01").overlap, 1);
  EXPECT_FALSE(release("26.04.01").grouped);
  for (const char* name : {"26.06", "26.06.01", "26.08"}) {
    EXPECT_TRUE(release(name).grouped);
    EXPECT_EQ(release(name).graph_scope, GraphScope::full);
  }
  EXPECT_TRUE(catalog.framework("megatron-core moe").transformer->experts.known);
}

}  // namespace
}  // namespace paceline
