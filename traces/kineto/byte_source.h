// Bytes of a trace, in blocks, whatever they are stored in.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace paceline {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills up to `capacity` bytes and returns how many; 0 at the end.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;
  // Why the bytes ended early, once read has returned 0.
  [[nodiscard]] virtual std::optional<std::string> damage() const { return std::nullopt; }
};

// Throws InputError if the file cannot be read.
std::unique_ptr<ByteSource> open_file(const std::string& file);
// The bytes must outlive the source.
std::unique_ptr<ByteSource> open_memory(std::string_view bytes);
// Uncompresses gzip (several members in a row included), known by its first bytes; hands other bytes through.
std::unique_ptr<ByteSource> uncompress(std::unique_ptr<ByteSource> source);

}  // namespace paceline
