#include "base/profile.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_reader.h"

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Measurement& time) {
  return {{"median", time.median.value()}, {"mad", time.median_absolute_deviation.value()},
          {"p5", time.p5.value()},         {"p95", time.p95.value()},
          {"samples", time.samples},       {"noisy", time.noisy}};
}

Measurement measurement(const JsonValue& value) {
  JsonObject object = value.object();
  Measurement time;
  time.median = object.required("median").quantity<Seconds>();
  if (time.median <= Seconds(0)) object.required("median").fail("a time above 0");
  time.median_absolute_deviation = object.required("mad").quantity<Seconds>();
  time.p5 = object.required("p5").quantity<Seconds>();
  time.p95 = object.required("p95").quantity<Seconds>();
  time.samples = static_cast<int>(object.required("samples").integer(1, 1 << 30));
  time.noisy = object.required("noisy").boolean();
  object.finish();
  return time;
}

Bytes positive_bytes(JsonObject& object) {
  const JsonValue value = object.required("bytes");
  const Bytes bytes = value.quantity<Bytes>();
  if (bytes <= Bytes(0)) value.fail("more than 0 bytes");
  return bytes;
}

// Reads the optional array `name`; `read_fields` fills one item, whose "time" is read here.
template <class Item, class ReadFields>
std::vector<Item> items(JsonObject& profile, const std::string& name, ReadFields read_fields) {
  std::vector<Item> list;
  const auto values = profile.optional(name);
  if (!values) return list;
  for (const JsonValue& value : values->array()) {
    JsonObject object = value.object();
    Item item;
    read_fields(object, item);
    item.time = measurement(object.required("time"));
    object.finish();
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

std::string to_json(const Profile& profile) {
  Json json{{"format", "paceline/profile-1"}, {"device", profile.device}, {"backend", profile.backend},
            {"date", profile.date},           {"host", profile.host},     {"notes", profile.notes}};
  if (profile.sustained_clock) json["sustained_clock"] = *profile.sustained_clock;
  json["gemms"] = Json::array();
  for (const auto& item : profile.gemms) {
    json["gemms"].push_back({{"precision", item.precision},
                             {"m", item.m},
                             {"n", item.n},
                             {"k", item.k},
                             {"batch", item.batch},
                             {"time", json_of(item.time)}});
  }
  json["memory"] = Json::array();
  for (const auto& item : profile.memory) {
    json["memory"].push_back(
        {{"operation", item.operation}, {"bytes", item.bytes.value()}, {"time", json_of(item.time)}});
  }
  json["copies"] = Json::array();
  for (const auto& item : profile.copies) {
    json["copies"].push_back({{"direction", item.direction},
                              {"pinned", item.pinned},
                              {"bytes", item.bytes.value()},
                              {"time", json_of(item.time)}});
  }
  json["collectives"] = Json::array();
  for (const auto& item : profile.collectives) {
    json["collectives"].push_back({{"kind", item.kind},
                                   {"transport", item.transport},
                                   {"ranks", item.ranks},
                                   {"nodes", item.nodes},
                                   {"bytes", item.bytes.value()},
                                   {"time", json_of(item.time)}});
  }
  json["launches"] = Json::array();
  for (const auto& item : profile.launches)
    json["launches"].push_back({{"what", item.what}, {"time", json_of(item.time)}});
  return json.dump(1) + "\n";
}

void write_profile(const Profile& profile, const std::string& file) { write_file(file, to_json(profile)); }

Profile read_profile(const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/profile-1");
  Profile profile;
  profile.device = object.required("device").string();
  profile.backend = object.required("backend").string();
  profile.date = object.required("date").string();
  profile.host = object.required("host").string();
  for (const JsonValue& note : object.required("notes").array()) profile.notes.push_back(note.string());
  if (const auto clock = object.optional("sustained_clock"))
    profile.sustained_clock = clock->number(0.1, 1.5);
  constexpr std::int64_t most = std::int64_t{1} << 40;
  profile.gemms = items<MeasuredGemm>(object, "gemms", [](JsonObject& from, MeasuredGemm& item) {
    item.precision = from.required("precision").string();
    item.m = from.required("m").integer(1, most);
    item.n = from.required("n").integer(1, most);
    item.k = from.required("k").integer(1, most);
    item.batch = from.required("batch").integer(1, most);
  });
  profile.memory = items<MeasuredMemory>(object, "memory", [](JsonObject& from, MeasuredMemory& item) {
    item.operation = from.required("operation").string();
    item.bytes = positive_bytes(from);
  });
  profile.copies = items<MeasuredCopy>(object, "copies", [](JsonObject& from, MeasuredCopy& item) {
    item.direction = from.required("direction").string();
    item.pinned = from.required("pinned").boolean();
    item.bytes = positive_bytes(from);
  });
  profile.collectives =
      items<MeasuredCollective>(object, "collectives", [](JsonObject& from, MeasuredCollective& item) {
        item.kind = from.required("kind").string();
        item.transport = from.required("transport").string();
        item.ranks = static_cast<int>(from.required("ranks").integer(1, 1 << 20));
        item.nodes = static_cast<int>(from.required("nodes").integer(1, 1 << 20));
        item.bytes = positive_bytes(from);
      });
  profile.launches = items<MeasuredLaunch>(object, "launches", [](JsonObject& from, MeasuredLaunch& item) {
    item.what = from.required("what").string();
  });
  object.finish();
  return profile;
}

}  // namespace paceline
