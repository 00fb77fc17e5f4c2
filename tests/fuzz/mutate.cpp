#include "tests/fuzz/mutate.h"

#include <array>
#include <random>
#include <string_view>

namespace paceline {
namespace {

constexpr std::array<std::string_view, 24> tokens = {"\"",
                                                     "\\",
                                                     "{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     ",",
                                                     ":",
                                                     "NaN",
                                                     "-1",
                                                     "1e999",
                                                     "null",
                                                     "\n",
                                                     "\xC3",
                                                     "\\u",
                                                     "\\ud83d",
                                                     "99999999999999999999",
                                                     "-Infinity",
                                                     "\"ts\": ",
                                                     "\"ph\": \"f\"",
                                                     "\"args\": {",
                                                     "0x",
                                                     "\"id\": \"a\"",
                                                     "GiB"};

class Mutator {
 public:
  Mutator(std::string text, std::uint64_t seed) : text_(std::move(text)), random_(seed) {}

  std::string run() {
    const std::size_t count = 1 + below(6);
    for (std::size_t step = 0; step < count; ++step) once();
    return std::move(text_);
  }

 private:
  // Not std::uniform_int_distribution, whose results differ between libraries.
  std::size_t below(std::size_t limit) {
    return limit == 0 ? 0 : static_cast<std::size_t>(random_() % limit);
  }

  void once() {
    const std::size_t at = below(text_.size());
    switch (below(7)) {
      case 0:
        if (!text_.empty()) text_[at] = static_cast<char>(below(256));
        return;
      case 1:
        if (!text_.empty())
          text_[at] = static_cast<char>(static_cast<unsigned char>(text_[at]) ^ (1U << below(8)));
        return;
      case 2:
        text_.insert(at, tokens[below(tokens.size())]);
        return;
      case 3:
        text_.erase(at, 1 + below(40));
        return;
      case 4:
        text_.insert(below(text_.size()), std::string(text_, at, below(200)));
        return;
      case 5:
        text_.replace(at, 1 + below(8), tokens[below(tokens.size())]);
        return;
      default:
        if (below(4) == 0) text_.resize(at);
    }
  }

  std::string text_;
  std::mt19937_64 random_;
};

}  // namespace

std::string mutate(std::string text, std::uint64_t seed) { return Mutator(std::move(text), seed).run(); }

}  // namespace paceline
