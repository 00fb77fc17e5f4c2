#include "sim/hardware/dispatch_rates.h"

#include <fmt/format.h>

#include "base/error.h"

namespace paceline {
namespace {

DispatchRates::Domain read_domain(const JsonValue& value) {
  JsonObject object = value.object();
  DispatchRates::Domain domain;
  domain.link = object.required("link").string();
  domain.ranks = static_cast<int>(object.required("ranks").integer(2, 65536));
  domain.rate = object.required("rate").quantity<BytesPerSecond>();
  object.finish();
  return domain;
}

void read_all_to_all(JsonObject object, DispatchRates& rates) {
  rates.link_share = object.required("link_share").number(0.01, 1);
  rates.network_share = object.required("network_share").number(0.01, 1);
  static_cast<void>(object.required("source").string());
  object.finish();
}

}  // namespace

BytesPerSecond DispatchRates::rate(const std::string& link, int ranks) const {
  const Domain* best = nullptr;
  for (const Domain& domain : domains)
    if (domain.link == link && domain.ranks >= ranks && (!best || domain.ranks < best->ranks)) best = &domain;
  if (best) return best->rate;
  throw InputError("dispatcher", fmt::format("{} devices on {}", ranks, link.empty() ? "no NVLink" : link),
                   "a domain of scenarios/collectives/dispatch.json", "choose \"alltoall\", or add its rate");
}

DispatchRates read_dispatch_rates(const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/dispatch-1");
  static_cast<void>(object.required("name").string());
  static_cast<void>(object.required("source").string());
  DispatchRates rates;
  rates.start = object.required("start").quantity<Seconds>();
  for (const JsonValue& domain : object.required("domains").array())
    rates.domains.push_back(read_domain(domain));
  rates.network = object.required("network").quantity<BytesPerSecond>();
  rates.eight_bit_time = object.required("eight_bit_time").number(0.1, 1);
  read_all_to_all(object.required("all_to_all").object(), rates);
  object.finish();
  return rates;
}

}  // namespace paceline
