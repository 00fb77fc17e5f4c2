// What a log says beside its rows: comments, headers, names, command lines.
#include <fmt/format.h>

#include <algorithm>

#include "sim/study/nccl_tests/debug_lines.h"
#include "sim/study/nccl_tests/log_line.h"
#include "sim/study/nccl_tests/reader.h"

namespace paceline::nccl_tests {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

void Reader::comment(Stream& stream, std::string_view text) {
  if (contains(text, "nThread ")) return settings(stream, text);
  if (contains(text, "Rank ") && contains(text, "device ")) {
    if (const auto found = parse_device(text)) return device(stream, *found);
    return repair("a device line that cannot be read");
  }
  for (const std::string_view key : {"nccl-tests version ", "rccl-tests: Version "}) {
    if (!contains(text, key)) continue;
    log_.tool = std::string(key.substr(0, 10));
    log_.tool_version = std::string(word_after(text, key));
    // "nccl-headers=22807 nccl-library=22807": the library counts.
    if (const auto code = integer_of(word_after(text, "nccl-library="));
        code && *code > 20000 && *code < 100000)
      log_.debug.version = fmt::format("{}.{}.{}", *code / 10000, *code / 100 % 100, *code % 100);
  }
  if (!stream.open) return;
  NcclTestsTable& table = log_.tables[stream.table];
  if (contains(text, "Avg bus bandwidth"))
    table.printed_average = number_of(word_after(text, "Avg bus bandwidth"));
  if (contains(text, "Out of bounds values"))
    if (const auto count = integer_of(word_after(text, "Out of bounds values"))) table.out_of_bounds = *count;
  const bool concluded = contains(text, "Avg bus bandwidth") || contains(text, "Collective test concluded");
  if (concluded && !stream.mixed) stream.open = stream.interrupted = false;
}

// "# nThread 1 nGpus 8 minBytes 8 ...": the header of a run begins.
void Reader::settings(Stream& stream, std::string_view text) {
  stream.interrupted = stream.open && !stream.mixed;
  if (stream.mixed) return;
  if (stream.header_used) forget_header(stream);
  stream.open = false;
  const auto count = [&](std::string_view key) -> std::optional<int> {
    const auto value = integer_of(word_after(text, key));
    if (!value || *value < 1 || *value > 1 << 20) return std::nullopt;
    return static_cast<int>(*value);
  };
  stream.header.threads = count("nThread ");
  stream.header.gpus_per_process = count("nGpus ");
  stream.header.graph = count("graph: ").value_or(0) > 0;
}

void Reader::device(Stream& stream, const NcclTestsDevice& found) {
  std::vector<NcclTestsDevice>& devices = stream.devices;
  stream.header.device_list.reset();
  const auto [place, is_new] = stream.ranks.try_emplace({found.group, found.rank}, devices.size());
  if (is_new) {
    devices.push_back(found);
    return;
  }
  const NcclTestsDevice& same = devices[place->second];
  if (same.pid == found.pid && same.host == found.host && same.ordinal == found.ordinal)
    return repair("a device listed twice");
  repair("a device of a second job, with the rank of another");
  mix(stream);
}

void Reader::forget_header(Stream& stream) {
  stream.header = {};
  stream.devices.clear();
  stream.ranks.clear();
  stream.header_used = false;
}

void Reader::mix(Stream& stream) {
  if (stream.mixed) return;
  stream.mixed = true;
  const std::string warning =
      "two jobs wrote into this log at the same time: each has the ranks that its own list of devices gives";
  stream.header.warnings.push_back(warning);
  stream.header.doubtful = true;
  if (!stream.open) return;
  log_.tables[stream.table].warnings.push_back(warning);
  log_.tables[stream.table].doubtful = true;
}

void Reader::names(Stream& stream, std::string_view text) {
  const bool torch = contains(text, "The average bandwidth of ");
  if (!torch && !contains(text, "_perf")) return;
  const std::string named = torch ? nccl_tests_collective(word_after(text, "The average bandwidth of "))
                                  : nccl_tests_collective(text);
  if (named.empty()) return;
  collective_ = named;
  collective_from_ = fmt::format("line {}", line_number_);
  if (!torch) return;
  log_.tool = "torch";
  forget_header(stream);
  stream.open = false;
  if (const auto ranks = integer_of(word_after(text, " over ")); ranks && *ranks > 1 && *ranks < 1 << 20) {
    stream.header.ranks = static_cast<int>(*ranks);
    stream.header.ranks_from = collective_from_;
  }
}

// "mpirun -np 16 ... all_reduce_perf ... -g 1": how many ranks were asked for.
void Reader::launcher(std::string_view text) {
  if (!contains(text, "_perf") ||
      !(contains(text, "mpirun") || contains(text, "mpiexec") || contains(text, "srun")))
    return;
  long long processes = 0, threads = 1, devices = 1;
  const auto words = words_of(text);
  bool behind_program = false;
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    const long long value = std::clamp(integer_of(words[at + 1]).value_or(0), 0LL, 1LL << 20);
    behind_program = behind_program || contains(words[at], "_perf");
    if (!behind_program && (words[at] == "-np" || words[at] == "-n")) processes = value;
    if (behind_program && words[at] == "-g" && value > 0) devices = value;
    if (behind_program && words[at] == "-t" && value > 0) threads = value;
  }
  if (const long long ranks = processes * threads % (1LL << 40) * devices; ranks > 1 && ranks < 1 << 20)
    log_.announced_ranks = static_cast<int>(ranks);
}

}  // namespace paceline::nccl_tests
