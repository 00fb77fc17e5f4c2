#include "base/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/error.h"

namespace paceline {
namespace fs = std::filesystem;

std::string read_file(const std::string& file) {
  std::error_code status;
  if (fs::is_directory(file, status)) throw InputError(file, "a folder", "a file", "name a file in it");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(file, std::strerror(errno), "a file that can be read",
                     "check the path and the permissions");
  }
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) throw InputError(file, std::strerror(errno), "a file that can be read", "");
  return std::move(content).str();
}

void write_file(const std::string& file, std::string_view content) {
  const std::string temporary = fmt::format("{}.part-{}", file, ::getpid());
  {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) {
      const std::string reason = std::strerror(errno);
      std::error_code ignored;
      fs::remove(temporary, ignored);
      throw InputError(file, reason, "a place that can be written to", "choose another output");
    }
  }
  std::error_code status;
  fs::rename(temporary, file, status);
  if (status) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw InputError(file, status.message(), "a place that can be written to", "choose another output");
  }
}

void write_output(const std::string& file, std::string_view content) {
  if (file == "-") {
    std::cout << content << std::flush;
    return;
  }
  write_file(file, content);
}

void make_output_folder(const std::string& folder) {
  std::error_code status;
  fs::create_directories(folder, status);
  if (!status && fs::is_directory(folder) && ::access(folder.c_str(), W_OK) == 0) return;
  const std::string reason = status ? status.message() : fs::is_directory(folder) ? std::strerror(errno) : "a file";
  throw InputError(folder, reason, "a folder that can be written to", "choose another output folder");
}

}  // namespace paceline
