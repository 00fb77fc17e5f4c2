#include "tests/fuzz/fuzz_seeds.h"

#include "base/profile.h"

namespace paceline {

std::string seed_profile() {
  const Measurement time{Seconds(1e-3), Seconds(1e-5), Seconds(9e-4), Seconds(1.1e-3), 25, false};
  Profile profile;
  profile.device = "Device \"A\"";
  profile.backend = "cpu";
  profile.date = "2026-01-31T12:00:00Z";
  profile.host = "host";
  profile.notes = {"a note"};
  profile.gemms.push_back({"fp32", 128, 256, 512, 1, time});
  profile.memory.push_back({"triad", Bytes(1e9), time});
  profile.copies.push_back({"host_to_host", false, Bytes(1e6), time});
  profile.collectives.push_back({"all_reduce", "shared memory ring", 4, 1, Bytes(1e6), time});
  profile.launches.push_back({"operator", time});
  return to_json(profile);
}

std::string seed_json() {
  return R"({"format": "paceline/study-1", "name": "a\u00e9\n", "sizes": [1, 2.5, -3e2, "25MiB", "400 Gb/s", null],
  "nested": {"kind": "ring", "on": true, "deeper": [[{"x": []}], {}]}, "_comment": "none"})";
}

}  // namespace paceline
