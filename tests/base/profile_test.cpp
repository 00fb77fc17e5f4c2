#include "base/profile.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/base/message_of.h"
#include "tests/base/scratch_folder.h"

namespace paceline {
namespace {
using ::testing::HasSubstr;

Measurement measured(double micro) {
  return {microseconds(micro), microseconds(0.1), microseconds(micro * 0.9), microseconds(micro * 1.3), 25,
          micro > 50};
}

Profile sample() {
  Profile profile;
  profile.device = "Some \"GPU\" / 16 GB";
  profile.backend = "cuda";
  profile.date = "2024-05-06T07:08:09Z";
  profile.host = "node-1";
  profile.notes = {"driver 550.54", "µ"};
  profile.sustained_clock = 0.7;
  profile.gemms = {{"fp16", 4096, 1024, 64, 8, measured(100)}};
  profile.memory = {{"triad", mebibytes(64), measured(10)}};
  profile.copies = {{"host_to_device", true, kibibytes(4), measured(3.3)}};
  profile.collectives = {{"all_reduce", "nccl", 16, 2, mebibytes(25), measured(1234.5)}};
  profile.launches = {{"empty kernel", measured(2.5)}};
  return profile;
}

class ProfileFile : public ScratchFolder {
 protected:
  // Reads the sample with one piece of its text replaced.
  std::string refusal(const std::string& from, const std::string& to) {
    std::string text = to_json(sample());
    const std::size_t place = text.find(from);
    if (place == std::string::npos) {
      ADD_FAILURE() << from << " is not in " << text;
      return "";
    }
    write_file(path("p.json"), text.replace(place, from.size(), to));
    return message_of([&] { static_cast<void>(read_profile(path("p.json"))); });
  }
};

TEST_F(ProfileFile, ComesBackAsItWasWritten) {
  write_profile(sample(), path("p.json"));
  const Profile read = read_profile(path("p.json"));
  EXPECT_EQ(to_json(read), to_json(sample()));
  EXPECT_EQ(read.gemms.at(0).k, 64);
  EXPECT_TRUE(read.gemms.at(0).time.noisy);
  EXPECT_EQ(read.collectives.at(0).time.median, microseconds(1234.5));
  EXPECT_EQ(read.copies.at(0).bytes, kibibytes(4));
}

TEST_F(ProfileFile, WithoutMeasurementsIsAProfile) {
  write_file(
      path("p.json"),
      R"({"format": "paceline/profile-1", "device": "d", "backend": "cpu", "date": "", "host": "", "notes": []})");
  EXPECT_TRUE(read_profile(path("p.json")).gemms.empty());
}

TEST_F(ProfileFile, KeepsTheSustainedClock) {
  write_profile(sample(), path("p.json"));
  EXPECT_EQ(read_profile(path("p.json")).sustained_clock, 0.7);
  EXPECT_THAT(refusal("\"sustained_clock\": 0.7", "\"sustained_clock\": 7"),
              HasSubstr("/sustained_clock: found 7, expected"));
}

TEST_F(ProfileFile, RefusesWhatCannotHaveBeenMeasured) {
  EXPECT_THAT(refusal(R"("m": 4096)", R"("m": 0)"),
              HasSubstr("/gemms/0/m: found 0, expected a whole number from 1"));
  EXPECT_THAT(refusal(R"("k": 64)", R"("k": 64.5)"), HasSubstr("/gemms/0/k: found 64.5"));
  EXPECT_THAT(refusal(R"("samples": 25)", R"("samples": 0)"), HasSubstr("/gemms/0/time/samples: found 0"));
  EXPECT_THAT(refusal(R"("bytes": 67108864.0)", R"("bytes": 0)"),
              HasSubstr("/memory/0/bytes: found 0, expected more than 0 bytes"));
  EXPECT_THAT(refusal(R"("ranks": 16)", R"("ranks": -16)"), HasSubstr("/collectives/0/ranks: found -16"));
  EXPECT_THAT(refusal(R"("median": )", R"("median": -)"), HasSubstr("/gemms/0/time/median: found -"));
  EXPECT_THAT(refusal(R"("pinned": true)", R"("pinned": 1)"), HasSubstr("/copies/0/pinned: found 1"));
}

TEST_F(ProfileFile, RefusesOtherFormatsAndFields) {
  EXPECT_THAT(refusal("paceline/profile-1", "paceline/profile-9"),
              HasSubstr("expected \"paceline/profile-1\""));
  EXPECT_THAT(refusal(R"("gemms")", R"("gems")"), HasSubstr("did you mean \"gemms\"?"));
  EXPECT_THAT(refusal(R"("host": "node-1",)", ""), HasSubstr("found no field \"host\""));
  EXPECT_THAT(refusal(R"("transport")", R"("transports")"),
              HasSubstr("/collectives/0: found no field \"transport\""));
}

}  // namespace
}  // namespace paceline
