#include "sim/study/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/error.h"
#include "base/json_reader.h"
#include "traces/kineto/byte_source.h"

namespace paceline {
namespace {

const std::vector<std::string>& known_columns() {
  static const std::vector<std::string> names{
      "device",     "operator", "dtype", "m",        "n",        "k",      "batch",  "cold",
      "accumulate", "seq",      "heads", "kv_heads", "head_dim", "tokens", "hidden", "expert_ffn",
      "top_k",      "experts",  "tp",    "ep",       "balance",  "gated",  "us"};
  return names;
}

std::string uncompressed(const std::string& file) {
  const auto source = uncompress(open_file(file));
  std::string text;
  std::array<char, 1 << 16> block{};
  while (const std::size_t count = source->read(block.data(), block.size())) text.append(block.data(), count);
  if (const auto damage = source->damage())
    throw InputError(file, *damage, "a whole gzip file", "fetch it again");
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

// One line, its cells by column name.
class Line {
 public:
  Line(const std::map<std::string, std::size_t>& columns, std::vector<std::string_view> cells,
       std::string where)
      : columns_(columns), cells_(std::move(cells)), where_(std::move(where)) {}

  [[nodiscard]] std::string text(const std::string& name, const std::string& fallback) const {
    const auto column = columns_.find(name);
    if (column == columns_.end() || cells_[column->second].empty()) return fallback;
    return std::string(cells_[column->second]);
  }
  // A positive number; `fallback` below 0: required.
  [[nodiscard]] double number(const std::string& name, double fallback = -1) const {
    const std::string cell = text(name, "");
    if (cell.empty() && fallback >= 0) return fallback;
    double value = 0;
    const char* end = cell.data() + cell.size();
    const auto [rest, error] = std::from_chars(cell.data(), end, value);
    if (error == std::errc() && rest == end && value > 0 && value < 1e15) return value;
    if (fallback >= 0 && value == 0 && rest == end) return 0;
    return fail(name, cell, "a number above 0");
  }
  [[noreturn]] double fail(const std::string& column, const std::string& found,
                           const std::string& expected) const {
    throw InputError(where_, column + " \"" + found + "\"", expected, "correct the table");
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  std::vector<std::string_view> cells_;
  std::string where_;
};

NumberFormat format_of(const Line& line) {
  std::string name = line.text("dtype", "");
  if (name == "bfloat16") name = "bf16";
  if (name == "float16") name = "fp16";
  if (name == "float32") name = "fp32";
  const auto& names = number_format_names();
  for (std::size_t format = 0; format < names.size(); ++format)
    if (names[format] == name) return static_cast<NumberFormat>(format);
  line.fail("dtype", name, "fp32, tf32, fp16, bf16 or fp8");
}

void read_gemm(const Line& line, KernelRow& row) {
  row.gemm = {line.number("m"),        line.number("n"),          line.number("k"),
              line.number("batch", 1), operand_bytes(row.format), result_bytes(row.format)};
  row.cold = line.number("cold", 0) > 0;
  if (line.number("accumulate", 0) > 0) row.gemm.output = 8;  // an fp32 sum, read and written
  row.gemm.quantise = row.format == NumberFormat::fp8;
}

void read_attention(const Line& line, KernelRow& row) {
  AttentionCall& shape = row.attention;
  shape.batch = line.number("batch");
  shape.queries = shape.keys = line.number("seq");
  shape.heads = shape.key_heads = line.number("heads");
  shape.element = operand_bytes(row.format);
  if (row.what == KernelOperator::latent_attention) {
    shape.head = 192;
    shape.value_head = 128;
    return;
  }
  shape.key_heads = line.number("kv_heads", shape.heads);
  shape.head = shape.value_head = line.number("head_dim");
}

void read_experts(const Line& line, KernelRow& row) {
  ExpertCall& shape = row.experts;
  shape.tokens = line.number("tokens");
  shape.hidden = line.number("hidden");
  shape.ffn = line.number("expert_ffn");
  shape.top_k = line.number("top_k");
  shape.experts = line.number("experts");
  shape.tensor_parallel = line.number("tp", 1);
  shape.expert_parallel = line.number("ep", 1);
  shape.gated = line.number("gated", 1) > 0;
  const std::string balance = line.text("balance", "balanced");
  if (balance == "power_law_1.01")
    shape.balance = ExpertBalance::power_law_1_01;
  else if (balance == "power_law_1.2")
    shape.balance = ExpertBalance::power_law_1_2;
  else if (balance != "balanced")
    line.fail("balance", balance, "balanced, power_law_1.01 or power_law_1.2");
}

KernelOperator operator_of(const Line& line) {
  const std::string name = line.text("operator", "");
  for (const auto each : {KernelOperator::gemm, KernelOperator::attention, KernelOperator::latent_attention,
                          KernelOperator::experts})
    if (to_string(each) == name) return each;
  if (!name.empty()) line.fail("operator", name, "gemm, attention, latent attention or experts");
  if (!line.text("tokens", "").empty()) return KernelOperator::experts;
  if (!line.text("head_dim", "").empty()) return KernelOperator::attention;
  return line.text("seq", "").empty() ? KernelOperator::gemm : KernelOperator::latent_attention;
}

KernelRow row_of(const Line& line, const std::string& device) {
  KernelRow row;
  row.device = line.text("device", device);
  row.what = operator_of(line);
  row.format = format_of(line);
  row.measured = microseconds(line.number("us"));
  if (row.what == KernelOperator::gemm)
    read_gemm(line, row);
  else if (row.what == KernelOperator::experts)
    read_experts(line, row);
  else
    read_attention(line, row);
  return row;
}

std::map<std::string, std::size_t> header_of(std::string_view line, const std::string& where) {
  std::map<std::string, std::size_t> columns;
  for (const std::string_view cell : cells_of(line)) {
    const std::string name(cell);
    const auto& known = known_columns();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto near = nearest_word(name, known);
      throw InputError(where, "column \"" + name + "\"", "columns of a kernel table",
                       near ? "did you mean \"" + *near + "\"?" : "rename or remove it");
    }
    columns.emplace(name, columns.size());
  }
  for (const char* needed : {"dtype", "us"})
    if (!columns.contains(needed))
      throw InputError(where, "no column \"" + std::string(needed) + "\"", "a kernel table's header",
                       "name the columns in the first line");
  return columns;
}

}  // namespace

std::string to_string(KernelOperator what) {
  constexpr std::array<const char*, 4> names{"gemm", "attention", "latent attention", "experts"};
  return names[static_cast<std::size_t>(what)];
}

std::vector<KernelRow> parse_kernel_table(const std::string& text, const std::string& file,
                                          const std::string& device) {
  std::vector<KernelRow> rows;
  std::map<std::string, std::size_t> columns;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string where = fmt::format("{}:{}", file, number);
    if (columns.empty()) {
      columns = header_of(line, where);
      continue;
    }
    auto cells = cells_of(line);
    if (cells.size() != columns.size())
      throw InputError(where, fmt::format("{} cells", cells.size()),
                       fmt::format("{}, as in the header", columns.size()), "correct the table");
    rows.push_back(row_of(Line(columns, std::move(cells), where), device));
  }
  if (rows.empty())
    throw InputError(file, "no rows", "a header line and rows", "give a table with measurements");
  return rows;
}

std::vector<KernelRow> read_kernel_table(const std::string& file, const std::string& device) {
  std::string name = device;
  if (name.empty()) {
    name = std::filesystem::path(file).filename().string();
    name = name.substr(0, name.find('-'));
  }
  return parse_kernel_table(uncompressed(file), file, name);
}

std::optional<Seconds> kernel_time(const KernelRates& rates, const KernelRow& row, bool correct) {
  const int processors = rates.multiprocessors;
  if (row.what == KernelOperator::gemm) {
    const auto& gemm = rates.gemm[static_cast<std::size_t>(row.format)];
    if (!gemm) return std::nullopt;
    GemmConditions conditions;
    conditions.cold = row.cold;
    conditions.copies = benchmark_copies(Bytes(row.gemm.element * row.gemm.n * row.gemm.k), rates.l2_cache);
    return correct ? corrected_gemm_time(*gemm, processors, row.gemm, conditions)
                   : gemm_time(*gemm, processors, row.gemm, conditions).time;
  }
  if (row.what == KernelOperator::experts) {
    if (!rates.experts) return std::nullopt;
    return expert_time(*rates.experts, processors, row.experts);
  }
  const bool latent = row.what == KernelOperator::latent_attention;
  const auto& attention = latent ? rates.latent_attention : rates.attention;
  // Larger heads than those measured go through other kernels.
  if (!attention || row.attention.head > attention->rate.rbegin()->first * (latent ? 2 : 1))
    return std::nullopt;
  return fused_attention_time(*attention, processors, row.attention);
}

}  // namespace paceline
