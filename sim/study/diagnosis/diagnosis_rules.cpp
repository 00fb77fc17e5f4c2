#include "sim/study/diagnosis/diagnosis_rules.h"

#include "base/json_reader.h"

namespace paceline {

DiagnosisRules read_diagnosis_rules(const std::string& folder) {
  JsonObject object = JsonValue::parse_file(folder + "/diagnosis.json").object();
  object.expect_format("paceline/diagnosis-1");
  (void)object.required("source").string();
  const auto ratio = [](JsonObject& from, const std::string& name) {
    return from.required(name).number(1, 100);
  };
  const auto share = [](JsonObject& from, const std::string& name) {
    return from.required(name).number(0, 1);
  };
  DiagnosisRules rules;
  rules.decisive_from = object.required("decisive_from").quantity<Bytes>();
  rules.latency_below = object.required("latency_below").quantity<Bytes>();
  JsonObject warn = object.required("warn").object();
  rules.warn_switched = ratio(warn, "switched");
  rules.warn_rdma = ratio(warn, "rdma");
  rules.warn_other = ratio(warn, "other");
  rules.warn_other_fabrics = ratio(warn, "other_fabrics");
  warn.finish();
  rules.slow = ratio(object, "slow");
  rules.second_largest = ratio(object, "second_largest");
  rules.columns_differ = ratio(object, "columns_differ");
  rules.widest_interval = ratio(object, "widest_interval");
  rules.bound_share = share(object, "bound_share");
  rules.congestion_fall = share(object, "congestion_fall");
  JsonObject sockets = object.required("sockets").object();
  rules.sockets_low = sockets.required("low").quantity<BytesPerSecond>();
  rules.sockets_high = sockets.required("high").quantity<BytesPerSecond>();
  (void)sockets.required("source").string();
  sockets.finish();
  JsonObject staged = object.required("no_gpudirect_share").object();
  rules.no_gpudirect_share = share(staged, "value");
  (void)staged.required("source").string();
  staged.finish();
  object.finish();
  return rules;
}

}  // namespace paceline
