#include "sim/study/nccl_tests/debug_lines.h"

#include <algorithm>
#include <cctype>

#include "sim/study/nccl_tests/log_line.h"

namespace paceline::nccl_tests {
namespace {

constexpr int most_ranks = 1 << 20;
constexpr std::size_t most_nics = 64, most_variables = 512;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int small(std::string_view word) {
  const auto value = integer_of(word);
  return value && *value >= 0 && *value < most_ranks ? static_cast<int>(*value) : -1;
}

// "2.27.7+cuda12.8" -> "2.27.7"; empty when the word is no version.
std::string version_of(std::string_view word) {
  const std::string_view version = word.substr(0, word.find_first_not_of("0123456789."));
  return std::count(version.begin(), version.end(), '.') == 2 ? std::string(version) : "";
}

void add_nic(NcclDebug& debug, std::string_view name, std::string_view kind,
             std::optional<BytesPerSecond> rate = {}) {
  const bool known =
      std::any_of(debug.nics.begin(), debug.nics.end(), [&](const NcclNic& nic) { return nic.name == name; });
  if (!known && !name.empty() && debug.nics.size() < most_nics)
    debug.nics.push_back({std::string(name), std::string(kind), rate});
}

// "Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>"; newer: "[0] mlx5_0:uverbs0:1/IB
// provider=Mlx5 speed=400000 ..." (Mb/s), one line for each.
void read_nics(std::string_view text, NcclDebug& debug) {
  text = text.substr(0, text.find("; OOB"));
  std::optional<BytesPerSecond> rate;
  if (const auto megabits = number_of(word_after(text, "speed=")); megabits && *megabits > 0)
    rate = BytesPerSecond(*megabits * 1e6 / 8);
  for (std::string_view word : words_of(text)) {
    if (word.starts_with('[')) word = word.substr(std::min(word.find(']'), word.size() - 1) + 1);
    const std::size_t slash = word.find('/');
    if (slash == std::string_view::npos || word.starts_with("NET/")) continue;
    const std::string_view kind = word.substr(slash + 1);
    if (kind.starts_with("IB") || kind.starts_with("RoCE"))
      add_nic(debug, word.substr(0, word.find(':')), kind.starts_with("IB") ? "IB" : "RoCE", rate);
  }
}

// "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC", "... 7[7] -> 8[0] [send] via NET/IB/0/GDRDMA".
void read_channel(std::string_view text, NcclDebug& debug) {
  const std::string_view path = word_after(text, " via ");
  std::string_view kind = path.substr(0, path.find('/'));
  if (kind == "NET") kind = path.substr(0, path.find('/', 4));
  if (kind.empty() || kind.size() > 40) return;
  ++debug.paths[std::string(kind)];
  if (kind.starts_with("NET") && (contains(path, "GDRDMA") || contains(path, "GDR"))) ++debug.network_direct;
}

// "NCCL_IB_DISABLE set by environment to 1.", "NCCL_SOCKET_IFNAME set to eth0".
void read_variable(std::string_view text, NcclDebug& debug) {
  const std::size_t at = text.find("NCCL_");
  const std::size_t set = text.find(" set ", at == std::string_view::npos ? 0 : at);
  if (at == std::string_view::npos || set == std::string_view::npos) return;
  const std::string_view name = text.substr(at, set - at);
  std::string_view value = word_after(text.substr(set), " to ");
  if (value.ends_with('.')) value.remove_suffix(1);
  if (contains(name, " ") || debug.variables.size() >= most_variables) return;
  debug.variables[std::string(name)] = std::string(value);
}

void read_network(std::string_view text, NcclDebug& debug) {
  if (contains(text, "NET/IB") && contains(text, "/IB")) read_nics(text, debug);
  if (contains(text, "NET/IB") && contains(text, "RoCE")) read_nics(text, debug);
  if (const std::size_t at = text.find("Using network "); at != std::string_view::npos) {
    debug.network = std::string(text.substr(at + 14, 60));
    debug.network.erase(debug.network.find_last_not_of(" ") + 1);
  }
  if (contains(text, "NET/OFI")) {
    for (const std::string_view key : {"Selected Provider is ", "Selected provider is ", "Using provider "})
      if (const std::string_view provider = word_after(text, key); !provider.empty())
        debug.provider = std::string(provider);
    const int found = contains(text, "(found ") ? small(word_after(text, "(found ")) : 0;
    for (int nic = 0; nic < std::min(found, 64); ++nic)
      add_nic(debug, debug.provider + std::to_string(nic), "OFI");
  }
  if (contains(text, "GPU Direct RDMA Enabled") || contains(text, "GPU Direct RDMA ("))
    debug.gpu_direct = true;
  if (contains(text, "GPU Direct RDMA Disabled")) debug.gpu_direct = debug.gpu_direct.value_or(false);
}

}  // namespace

std::optional<NcclTestsDevice> parse_device(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  NcclTestsDevice device;
  bool ranked = false, placed = false;
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    if (words[at] == "Rank" && !ranked) {
      device.rank = small(words[at + 1]);
      ranked = device.rank >= 0;
    }
    if (words[at] == "Group") device.group = std::max(0, small(words[at + 1]));
    if (words[at] == "Pid") device.pid = integer_of(words[at + 1]).value_or(0);
    if (words[at] == "on" && ranked) device.host = std::string(words[at + 1]);
    if (words[at] == "device" && ranked) {
      device.ordinal = std::max(0, small(words[at + 1]));
      placed = true;
      const std::size_t open = text.find('[', static_cast<std::size_t>(words[at].data() - text.data()));
      const std::size_t close = open == std::string_view::npos ? open : text.find(']', open);
      if (close == std::string_view::npos) break;
      device.bus = std::string(text.substr(open + 1, close - open - 1));
      const std::size_t name = text.find_first_not_of(" \t", close + 1);
      if (name != std::string_view::npos)
        device.name = std::string(text.substr(name, text.find_last_not_of(" \t") + 1 - name));
      break;
    }
  }
  if (!ranked || !placed) return std::nullopt;
  return device;
}

void read_debug_line(std::string_view text, NcclDebug& debug) {
  ++debug.lines;
  if (contains(text, "NCCL WARN")) ++debug.warnings;
  for (const std::string_view key : {"NCCL version ", "RCCL version "})
    if (const std::string version = version_of(word_after(text, key)); !version.empty())
      debug.version = version;
  if (contains(text, " via ") && contains(text, "Channel ")) return read_channel(text, debug);
  if (contains(text, " set ")) read_variable(text, debug);
  if (contains(text, "NET/") || contains(text, "network ") || contains(text, "GPU Direct"))
    read_network(text, debug);
  if (contains(text, "NVLS multicast support is")) debug.multicast = !contains(text, "not available");
  if (contains(text, " comm ")) {
    for (const std::string_view key : {" nranks ", " nRanks "})
      if (const int ranks = small(word_after(text, key)); ranks > 0) debug.communicator_ranks = ranks;
  }
}

std::size_t debug_line_start(std::string_view text) {
  const std::size_t info = std::min(text.find("NCCL INFO"), text.find("NCCL WARN"));
  if (info == std::string_view::npos || info == 0) return info;
  const std::size_t bracket = text.rfind('[', info);
  if (bracket == std::string_view::npos || bracket == 0) return info;
  const std::size_t last = text.find_last_not_of(' ', bracket - 1);
  if (last == std::string_view::npos) return 0;
  const std::size_t blank = text.find_last_of(" \t", last);
  return blank == std::string_view::npos ? 0 : blank + 1;
}

}  // namespace paceline::nccl_tests
