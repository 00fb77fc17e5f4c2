#include "traces/kineto/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <vector>

#include "base/error.h"

namespace paceline {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& file) : file_(file), stream_(file, std::ios::binary) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
      throw InputError(file, "a folder", "a trace file", "name a file in it");
    if (!stream_)
      throw InputError(file, std::strerror(errno), "a file that can be read",
                       "check the path and the permissions");
  }
  std::size_t read(char* to, std::size_t capacity) override {
    stream_.read(to, static_cast<std::streamsize>(capacity));
    if (stream_.bad()) throw InputError(file_, std::strerror(errno), "a file that can be read", "");
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  std::string file_;
  std::ifstream stream_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(char* to, std::size_t capacity) override {
    const std::size_t count = std::min(capacity, rest_.size());
    rest_.copy(to, count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    constexpr int gzip_window = 15 + 16;  // 16 asks for a gzip header
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t capacity) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(capacity, 1U << 30U));
    const uInt wanted = stream_.avail_out;
    while (!finished_ && stream_.avail_out == wanted) advance();
    return wanted - stream_.avail_out;
  }
  [[nodiscard]] std::optional<std::string> damage() const override { return damage_; }

 private:
  void advance() {
    if (stream_.avail_in == 0) {
      stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_in = static_cast<uInt>(source_->read(block_.data(), block_.size()));
      consumed_ += stream_.avail_in;
      if (stream_.avail_in == 0) return end_of_input();
    }
    if (between_members_ && !next_member()) return;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      finish("the compressed data is damaged at byte " + std::to_string(consumed_ - stream_.avail_in));
    }
  }

  void end_of_input() {
    if (between_members_) {
      finished_ = true;
    } else {
      finish("the compressed data is cut at byte " + std::to_string(consumed_));
    }
  }

  // Bytes after the last member that are no gzip, such as padding by zeros, are passed over as gzip(1) does.
  bool next_member() {
    between_members_ = false;
    if (*stream_.next_in == 0x1F && inflateReset(&stream_) == Z_OK) return true;
    finished_ = true;
    return false;
  }

  void finish(std::string damage) {
    damage_ = std::move(damage);
    finished_ = true;
  }

  std::unique_ptr<ByteSource> source_;
  z_stream stream_{};
  std::vector<char> block_ = std::vector<char>(1U << 16U);
  std::size_t consumed_ = 0;
  bool between_members_ = false;
  bool finished_ = false;
  std::optional<std::string> damage_;
};

// Gives the bytes that were looked at, then the rest.
class PeekedSource : public ByteSource {
 public:
  PeekedSource(std::string peeked, std::unique_ptr<ByteSource> rest)
      : peeked_(std::move(peeked)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t capacity) override {
    if (peeked_.empty()) return rest_->read(to, capacity);
    const std::size_t count = peeked_.copy(to, capacity);
    peeked_.erase(0, count);
    return count;
  }

 private:
  std::string peeked_;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& file) { return std::make_unique<FileSource>(file); }

std::unique_ptr<ByteSource> open_memory(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

std::unique_ptr<ByteSource> uncompress(std::unique_ptr<ByteSource> source) {
  std::string start(2, '\0');
  std::size_t have = source->read(start.data(), 1);
  if (have == 1) have += source->read(start.data() + 1, 1);
  start.resize(have);
  auto whole = std::make_unique<PeekedSource>(start, std::move(source));
  if (start != "\x1f\x8b") return whole;
  return std::make_unique<GzipSource>(std::move(whole));
}

}  // namespace paceline
