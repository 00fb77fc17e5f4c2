#include "base/text.h"

#include <cctype>

namespace paceline {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

}  // namespace paceline
