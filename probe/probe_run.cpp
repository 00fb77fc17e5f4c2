#include "probe/probe_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>

namespace paceline {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

struct Tally {
  int noisy = 0;
  int all = 0;
};

template <class Item>
void count(const std::vector<Item>& items, Tally& tally) {
  for (const Item& item : items) {
    ++tally.all;
    if (item.time.noisy) ++tally.noisy;
  }
}

}  // namespace

const std::vector<std::string>& part_names() {
  static const std::vector<std::string> names{"gemm", "memory", "copies", "collectives", "launch"};
  return names;
}

std::set<Part> all_parts() {
  return {Part::gemm, Part::memory, Part::copies, Part::collectives, Part::launch};
}

ProbeRequest quick_request() {
  ProbeRequest request;
  request.quick = true;
  request.effort = quick_effort();
  request.memory_limit = mebibytes(512);
  return request;
}

Measurement ProbeRun::measured(const std::string& what, const TimedRun& run) const {
  progress(what);
  return measure(run, clock, request.effort);
}

Profile new_profile(const std::string& backend, const std::string& device) {
  Profile profile;
  profile.backend = backend;
  profile.device = device;
  profile.host = host_name();
  profile.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return profile;
}

void note_noise(Profile& profile) {
  Tally tally;
  count(profile.gemms, tally);
  count(profile.memory, tally);
  count(profile.copies, tally);
  count(profile.collectives, tally);
  count(profile.launches, tally);
  if (tally.noisy * 10 <= tally.all) return;
  profile.notes.push_back(fmt::format(
      "the machine was noisy: {} of {} measurements spread too widely to be trusted to a few per cent; "
      "measure again when it is idle",
      tally.noisy, tally.all));
}

}  // namespace paceline
