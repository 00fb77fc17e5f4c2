#include "sim/hardware/topo_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace paceline {
namespace {

constexpr const char* remedy = "paste the whole output of `nvidia-smi topo -m`";
constexpr std::size_t most_columns = 256;
constexpr int most_links = 64;
using Words = std::vector<std::string>;

// "\x1b[4m", and "^[[4m" or "[4m" as some terminals and logs leave of it.
std::size_t escape_length(std::string_view text) {
  std::size_t at = 0;
  if (text.starts_with("\x1b")) at = 1;
  if (text.starts_with("^[[")) at = 2;
  if (at >= text.size() || text[at] != '[') return at;
  std::size_t end = at + 1;
  while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == ';'))
    ++end;
  return end < text.size() && text[end] == 'm' ? end + 1 : at;
}

std::vector<Words> words_by_line(std::string_view text) {
  std::vector<Words> lines(1);
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) lines.back().push_back(std::move(word));
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t escape = escape_length(text.substr(at)); escape > 0) {
      at += escape;
      continue;
    }
    const char character = text[at++];
    if (std::isspace(static_cast<unsigned char>(character)) == 0) {
      word += character;
      continue;
    }
    end_word();
    if (character == '\n') lines.emplace_back();
  }
  end_word();
  return lines;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<TopoCell> cell_of(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, TopoWord>, 7> words{{{"X", TopoWord::self},
                                                                        {"PIX", TopoWord::pix},
                                                                        {"PXB", TopoWord::pxb},
                                                                        {"PHB", TopoWord::phb},
                                                                        {"NODE", TopoWord::node},
                                                                        {"SYS", TopoWord::sys},
                                                                        {"SOC", TopoWord::sys}}};
  for (const auto& [name, meaning] : words)
    if (word == name) return TopoCell{meaning, 0};
  if (!word.starts_with("NV")) return std::nullopt;
  const auto links = number(std::string_view(word).substr(2));
  if (!links || *links < 1 || *links > most_links) return std::nullopt;
  return TopoCell{TopoWord::nvlink, *links};
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), lines_(words_by_line(text)) {}

  TopoMatrix run() {
    find_header();
    for (std::size_t row = 0; row < columns_.size(); ++row) read_row(row);
    expect_symmetry();
    read_legend();
    return std::move(matrix_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& found, const std::string& expected) const {
    throw InputError(fmt::format("{}: line {}", file_, std::min(line, lines_.size() - 1) + 1), found,
                     expected, remedy);
  }

  // "GPU0 GPU1 ... NIC0 ... CPU Affinity ...": names, where a row has cells.
  void find_header() {
    const auto is_header = [](const Words& words) {
      return !words.empty() && words[0] == "GPU0" && (words.size() == 1 || !cell_of(words[1]));
    };
    const auto header = std::find_if(lines_.begin(), lines_.end(), is_header);
    if (header == lines_.end()) {
      throw InputError(file_, "no line that begins with GPU0 and names the columns",
                       "the matrix of `nvidia-smi topo -m`", remedy);
    }
    line_ = static_cast<std::size_t>(header - lines_.begin());
    for (const std::string& word : *header) {
      if (word == "CPU" || word == "NUMA") break;
      columns_.push_back(word);
      if (word == fmt::format("GPU{}", matrix_.gpus) && matrix_.nics.empty())
        ++matrix_.gpus;
      else if (word.starts_with("GPU"))
        fail(line_, word, fmt::format("GPU{} or a NIC", matrix_.gpus));
      else
        matrix_.nics.push_back(word);
    }
    if (columns_.size() > most_columns)
      fail(line_, fmt::format("{} columns", columns_.size()), fmt::format("at most {}", most_columns));
  }

  void read_row(std::size_t row) {
    ++line_;
    if (line_ >= lines_.size() || lines_[line_].empty())
      fail(line_, fmt::format("the end of the matrix after {} rows", row),
           fmt::format("{} rows, the next called {}", columns_.size(), columns_[row]));
    const Words& words = lines_[line_];
    if (words[0] != columns_[row])
      fail(line_, fmt::format("\"{}\"", words[0]), "the row of " + columns_[row]);
    if (words.size() <= columns_.size())
      fail(line_, fmt::format("{} entries", words.size() - 1),
           fmt::format("{}, one a column", columns_.size()));
    matrix_.cells.emplace_back();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const std::string& word = words[column + 1];
      const auto cell = cell_of(word);
      if (!cell || (cell->word == TopoWord::self) != (row == column)) {
        fail(line_, fmt::format("\"{}\" below {}", word, columns_[column]),
             row == column ? "X on the diagonal" : "NV#, PIX, PXB, PHB, NODE or SYS");
      }
      matrix_.cells.back().push_back(*cell);
    }
    if (row < static_cast<std::size_t>(matrix_.gpus)) read_affinity(words);
  }

  void read_affinity(const Words& words) {
    const std::size_t at = columns_.size() + 1;
    matrix_.cpu_affinity.push_back(words.size() > at ? words[at] : "");
    matrix_.numa.push_back(words.size() > at + 1 ? number(words[at + 1]).value_or(-1) : -1);
  }

  void expect_symmetry() const {
    for (std::size_t row = 0; row < columns_.size(); ++row) {
      for (std::size_t column = 0; column < row; ++column) {
        if (matrix_.cells[row][column] == matrix_.cells[column][row]) continue;
        fail(line_ + 1 + row - columns_.size(),
             fmt::format("{} to {} unlike {} to {}", columns_[row], columns_[column], columns_[column],
                         columns_[row]),
             "the same both ways");
      }
    }
  }

  // "NIC0: mlx5_0"
  void read_legend() {
    for (std::size_t line = line_; line < lines_.size(); ++line) {
      if (lines_[line].size() != 2) continue;
      for (std::string& nic : matrix_.nics)
        if (lines_[line][0] == nic + ":") {
          nic = lines_[line][1];
          break;
        }
    }
  }

  const std::string& file_;
  std::vector<Words> lines_;
  std::size_t line_ = 0;
  Words columns_;
  TopoMatrix matrix_;
};

}  // namespace

LinkCounts TopoMatrix::nvlinks() const {
  const auto n = static_cast<std::size_t>(gpus);
  LinkCounts counts(n, std::vector<int>(n, 0));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) counts[a][b] = cells[a][b].links;
  return counts;
}

TopoMatrix read_topo_matrix(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

}  // namespace paceline
