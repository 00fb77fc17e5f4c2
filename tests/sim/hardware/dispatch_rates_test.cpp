// Rates at which tokens reach their experts.
#include "sim/hardware/dispatch_rates.h"

#include <gtest/gtest.h>

#include "sim/hardware/hardware_catalog.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

using test::refusal;

const DispatchRates& shipped() {
  static const HardwareCatalog catalog =
      HardwareCatalog::load(std::string(PACELINE_SOURCE_DIR) + "/scenarios");
  return catalog.dispatch();
}

// Eight devices: the entry of 8; nine need the next larger domain, that of a rack of 72.
TEST(DispatchRates, AreThoseOfTheSmallestDomainThatHoldsTheRanks) {
  EXPECT_EQ(shipped().rate("nvlink-blackwell", 8).value(), 377e9);
  EXPECT_EQ(shipped().rate("nvlink-blackwell", 4).value(), 377e9);
  EXPECT_EQ(shipped().rate("nvlink-blackwell", 9).value(), 557e9);
  EXPECT_EQ(shipped().rate("nvlink-hopper", 8).value(), 290e9);
}

TEST(DispatchRates, AreRefusedWhereNobodyMeasuredThem) {
  EXPECT_EQ(refusal([] { static_cast<void>(shipped().rate("nvlink-hopper", 72)); }),
            "dispatcher: found 72 devices on nvlink-hopper, expected a domain of "
            "scenarios/collectives/dispatch.json; choose \"alltoall\", or add its rate");
  EXPECT_EQ(refusal([] { static_cast<void>(shipped().rate("", 8)); }),
            "dispatcher: found 8 devices on no NVLink, expected a domain of "
            "scenarios/collectives/dispatch.json; choose \"alltoall\", or add its rate");
}

TEST(DispatchRates, NeedADomainOfSeveralDevices) {
  const std::string text = R"({"format": "paceline/dispatch-1", "name": "d", "source": "S", "start": "40us",
      "domains": [{"link": "l", "ranks": 1, "rate": "1GB/s"}]})";
  EXPECT_EQ(refusal([&] { static_cast<void>(read_dispatch_rates(JsonValue::parse_text(text, "d.json"))); }),
            "d.json: /domains/0/ranks: found 1, expected a whole number from 2 to 65536");
}

}  // namespace
}  // namespace paceline
