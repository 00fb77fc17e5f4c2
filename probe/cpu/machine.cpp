#include "probe/cpu/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>

namespace paceline {
namespace {

// The text after the colon of the first line of `file` that begins with `name`.
std::optional<std::string> field(const std::string& file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return std::nullopt;
}

std::optional<double> number_in(const std::string& file) {
  std::ifstream stream(file);
  double number = 0;
  if (stream >> number) return number;
  return std::nullopt;  // absent, or "max"
}

std::string processor_name() {
  if (const auto name = field("/proc/cpuinfo", "model name")) return *name;
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "unknown processor";
}

Bytes last_level_cache() {
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    const long size = ::sysconf(level);
    if (size > 0) return Bytes(static_cast<double>(size));
  }
  return mebibytes(32);
}

// A container may use less than the machine has.
double control_group_room() {
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::numeric_limits<double>::infinity();
  return std::max(0.0, *limit - *used);
}

Bytes available_memory() {
  const auto text = field("/proc/meminfo", "MemAvailable");
  const double kibibytes_free = text ? std::strtod(text->c_str(), nullptr) : 1024.0 * 1024;
  return Bytes(std::min(kibibytes_free * 1024, control_group_room()));
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = processor_name();
  machine.cpus = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  machine.last_level_cache = last_level_cache();
  machine.available_memory = available_memory();
  if (::getloadavg(&machine.load, 1) != 1) machine.load = 0;
  return machine;
}

}  // namespace paceline
