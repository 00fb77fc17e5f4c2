#include "traces/gzip.h"

#include <zlib.h>

#include <new>

namespace paceline {
namespace {

constexpr int level = 6;
constexpr int gzip_window = 15 + 16;  // 32 KiB window; 16 more asks for a gzip header
constexpr int memory_level = 8;

}  // namespace

std::string gzip(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::string block(1U << 16U, '\0');
  std::string input;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && !content.empty()) {
      input.assign(content.substr(0, 1U << 20U));  // zlib's input pointer is not const
      content.remove_prefix(input.size());
      stream.next_in = reinterpret_cast<Bytef*>(input.data());
      stream.avail_in = static_cast<uInt>(input.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = deflate(&stream, content.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block, 0, block.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace paceline
