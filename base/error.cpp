#include "base/error.h"

#include <fmt/format.h>

namespace paceline {
namespace {

std::string input_message(const std::string& where, const std::string& found, const std::string& expected,
                          const std::string& remedy) {
  std::string message = where;
  if (!found.empty()) message += fmt::format(": found {}", found);
  if (!expected.empty()) message += fmt::format("{} expected {}", found.empty() ? ":" : ",", expected);
  if (!remedy.empty()) message += fmt::format("; {}", remedy);
  return message;
}

}  // namespace

InputError::InputError(const std::string& where, const std::string& found, const std::string& expected,
                       const std::string& remedy)
    : Error(input_message(where, found, expected, remedy), ExitCode::bad_input) {}

DeviceError::DeviceError(const std::string& api, const std::string& error, const std::string& remedy)
    : Error(
          remedy.empty() ? fmt::format("{}: {}", api, error) : fmt::format("{}: {}; {}", api, error, remedy),
          ExitCode::hardware_missing) {}

TraceError::TraceError(const std::string& file, const std::string& format, std::uint64_t byte_offset,
                       const std::string& problem)
    : Error(fmt::format("{}: not readable as {} at byte {}: {}", file, format, byte_offset, problem),
            ExitCode::bad_input) {}

}  // namespace paceline
