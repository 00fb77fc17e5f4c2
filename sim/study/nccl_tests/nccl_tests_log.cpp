#include "sim/study/nccl_tests/nccl_tests_log.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include "base/error.h"
#include "sim/study/nccl_tests/json_reader.h"
#include "sim/study/nccl_tests/reader.h"

namespace paceline {

NcclTestsLog read_nccl_tests(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  // A folder opens and then gives nothing.
  if (!stream || (stream.peek() == std::char_traits<char>::eof() && stream.bad()))
    throw InputError(file, "no readable file", "the output of nccl-tests", "check the name");
  return read_nccl_tests(stream, file);
}

NcclTestsLog read_nccl_tests(std::istream& stream, const std::string& file) {
  stream >> std::ws;
  if (stream.peek() == '{') {
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return nccl_tests::read_json_log(text, file);
  }
  nccl_tests::Reader reader(file);
  for (std::string line; std::getline(stream, line);) reader.line(line);
  return reader.finish();
}

std::optional<double> nccl_tests_factor(std::string_view collective, int ranks) {
  if (ranks < 1) return std::nullopt;
  const double share = (ranks - 1.0) / ranks;
  if (collective == "all_reduce") return 2 * share;
  for (const std::string_view name : {"all_gather", "reduce_scatter", "alltoall", "gather", "scatter"})
    if (collective == name) return share;
  for (const std::string_view name : {"broadcast", "reduce", "sendrecv", "hypercube"})
    if (collective == name) return 1;
  return std::nullopt;
}

std::string nccl_tests_collective(std::string_view text) {
  std::string plain;  // "./build/all_reduce_perf_mpi" -> "./build/allreduceperfmpi"
  for (const char c : text.substr(0, 4096))
    if (c != '_' && c != '-') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view name : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast",
                                      "sendrecv", "hypercube", "gather", "scatter", "reduce"}) {
    std::string wanted;
    for (const char c : name)
      if (c != '_') wanted += c;
    const std::size_t at = plain.find(wanted);
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(plain).substr(at + wanted.size());
    if (rest.empty() || rest.starts_with("perf") || rest.starts_with("v") ||
        std::isalpha(static_cast<unsigned char>(rest[0])) == 0)
      return std::string(name);
  }
  return "";
}

const std::vector<NcclTestsDevice>& NcclTestsTable::devices() const {
  static const std::vector<NcclTestsDevice> none;
  return device_list ? *device_list : none;
}

int NcclTestsTable::devices_per_host() const {
  std::map<std::string, int> count;
  int most = 0;
  for (const NcclTestsDevice& device : devices())
    if (device.group == devices().front().group) most = std::max(most, ++count[device.host]);
  return most;
}

std::vector<std::string> NcclTestsTable::device_names() const {
  std::set<std::string> names;
  for (const NcclTestsDevice& device : devices())
    if (!device.name.empty()) names.insert(device.name);
  return {names.begin(), names.end()};
}

}  // namespace paceline
