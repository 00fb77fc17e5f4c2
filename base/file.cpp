#include "base/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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

namespace {

// Throws after removing what it began, if `temporary`.
void write_all(const std::string& place, std::string_view content, const std::string& file, bool temporary) {
  std::ofstream stream(place, std::ios::binary | std::ios::trunc);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (stream) return;
  const std::string reason = std::strerror(errno);
  std::error_code ignored;
  if (temporary) fs::remove(place, ignored);
  throw InputError(file, reason, "a place that can be written to", "choose another output");
}

}  // namespace

void write_file(const std::string& file, std::string_view content) {
  std::error_code status;
  const fs::file_status kind = fs::status(file, status);
  if (fs::is_other(kind)) return write_all(file, content, file, false);
  // A link stays a link: what it points to is replaced.
  const fs::path real = fs::is_symlink(file, status) ? fs::canonical(file, status) : fs::path(file);
  const std::string target = real.empty() ? file : real.string();
  const std::string temporary = fmt::format("{}.part-{}", target, ::getpid());
  write_all(temporary, content, file, true);
  fs::rename(temporary, target, status);
  if (status) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw InputError(file, status.message(), "a place that can be written to", "choose another output");
  }
}

void check_output(const std::string& file) {
  if (file == "-") return;
  std::error_code status;
  const fs::file_status kind = fs::status(file, status);
  if (fs::is_other(kind)) return;
  if (fs::is_directory(kind)) throw InputError(file, "a folder", "a file to write", "name a file in it");
  fs::path folder = fs::path(file).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, status))
    throw InputError(file, fmt::format("no folder \"{}\"", folder.string()), "a folder that exists",
                     "create it first");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(file, std::strerror(errno), "a place that can be written to", "choose another output");
}

void write_output(const std::string& file, std::string_view content) {
  if (file == "-") {
    std::cout << content << std::flush;
    if (!std::cout)
      throw InputError("standard output", std::strerror(errno), "a place that can be written to", "");
    return;
  }
  write_file(file, content);
}

void check_output_folder(const std::string& folder) {
  std::error_code status;
  fs::path place = folder;
  while (place.has_relative_path() && !fs::exists(place, status)) place = place.parent_path();
  if (place.empty()) place = ".";
  const bool is_folder = fs::is_directory(place, status);
  if (is_folder && ::access(place.c_str(), W_OK) == 0) return;
  const std::string reason =
      is_folder ? std::strerror(errno) : fmt::format("the file \"{}\" in its place", place.string());
  throw InputError(folder, reason, "a folder that can be written to", "choose another output folder");
}

void make_output_folder(const std::string& folder) {
  std::error_code status;
  fs::create_directories(folder, status);
  if (!status && fs::is_directory(folder) && ::access(folder.c_str(), W_OK) == 0) return;
  const std::string reason = status                     ? status.message()
                             : fs::is_directory(folder) ? std::strerror(errno)
                                                        : "a file";
  throw InputError(folder, reason, "a folder that can be written to", "choose another output folder");
}

std::vector<std::string> json_files(const std::string& folder, const std::string& remedy) {
  std::vector<std::string> files;
  std::error_code status;
  for (fs::directory_iterator at(folder, status), end; !status && at != end; at.increment(status))
    if (at->path().extension() == ".json") files.push_back(at->path().string());
  if (status) throw InputError(folder, status.message(), "a folder that can be read", remedy);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace paceline
