// The error family. Thrown where input is read, caught once in main and once per GUI worker.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace paceline {

// What a program of ours returns to the shell.
enum class ExitCode : int { done = 0, answer_is_no = 1, bad_input = 2, hardware_missing = 3, other = 4 };

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, ExitCode exit_code)
      : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

// A file, a field or an argument is not what it must be. `where` is the file with a JSON pointer or a line
// ("study.json: /cases/0/devices"), or the name of an argument. Message: "where: found X, expected Y;
// remedy".
class InputError : public Error {
 public:
  InputError(const std::string& where, const std::string& found, const std::string& expected,
             const std::string& remedy);
};

// A device or a library is missing or failed. Message: "api: error; remedy".
class DeviceError : public Error {
 public:
  DeviceError(const std::string& api, const std::string& error, const std::string& remedy);
};

// A trace that cannot be read at all; bad records inside a readable trace are repaired and listed instead.
class TraceError : public Error {
 public:
  TraceError(const std::string& file, const std::string& format, std::uint64_t byte_offset,
             const std::string& problem);
};

}  // namespace paceline
