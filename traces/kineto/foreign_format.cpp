#include "traces/kineto/foreign_format.h"

#include <array>

#include "base/error.h"

namespace paceline {
namespace {

struct Magic {
  std::string_view start;
  std::string_view what;
};

constexpr std::array<Magic, 8> magics = {{
    {"SQLite format 3", "an SQLite database, such as Nsight Systems exports"},
    {"PK\x03\x04", "a zip archive; unpack it first"},
    {"\x28\xB5\x2F\xFD", "compressed with zstd; uncompress it first"},
    {"\xFD"
     "7zXZ",
     "compressed with xz; uncompress it first"},
    {"BZh", "compressed with bzip2; uncompress it first"},
    {"<", "HTML or XML; was the download a page instead of the file?"},
    {"\xFF\xFE", "UTF-16; convert it to UTF-8 first"},
    {"\xFE\xFF", "UTF-16; convert it to UTF-8 first"},
}};

}  // namespace

void throw_foreign_bytes(const std::string& file, std::string_view start, std::uint64_t offset) {
  for (const Magic& magic : magics)
    if (start.starts_with(magic.start))
      throw TraceError(file, "Chrome JSON", offset, "this is " + std::string(magic.what));
  throw TraceError(file, "Chrome JSON", offset, "expected { or [ at the start of JSON");
}

void check_foreign_keys(const std::string& file, const std::set<std::string>& keys, std::uint64_t offset) {
  if (keys.count("rocprofiler-sdk-tool") != 0)
    throw TraceError(file, "Chrome JSON", offset,
                     "this is rocprofiler-sdk JSON, which is no list of trace events");
  if (keys.count("schema") != 0 && keys.count("nodes") != 0)
    throw TraceError(file, "Chrome JSON", offset,
                     "this is a PyTorch ET (execution trace), which holds no device times; give the "
                     "profiler's trace of the "
                     "same run");
}

}  // namespace paceline
