// The state of reading a log, line by line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/study/nccl_tests/nccl_tests_log.h"

namespace paceline::nccl_tests {

class Reader {
 public:
  explicit Reader(std::string file) { log_.file = std::move(file); }
  void line(std::string_view text);
  // Throws InputError when no line was a row.
  [[nodiscard]] NcclTestsLog finish();

 private:
  // What one process (or, without marks, the whole log) has said so far.
  struct Stream {
    NcclTestsTable header;                             // of tables to come
    std::vector<NcclTestsDevice> devices;              // of it
    std::map<std::pair<int, int>, std::size_t> ranks;  // group and rank -> index in devices
    bool header_used = false;
    bool interrupted = false;  // a header came before the table above it was concluded
    bool mixed = false;        // two jobs write at the same time
    bool open = false;         // the last table of `tables` still grows
    std::size_t table = 0;     // index in log_.tables
    std::string pending;       // the beginning of a row that another line cut off
    std::size_t pending_line = 0;
  };

  void comment(Stream& stream, std::string_view text);
  void settings(Stream& stream, std::string_view text);
  void device(Stream& stream, const NcclTestsDevice& found);
  void names(Stream& stream, std::string_view text);
  void launcher(std::string_view text);
  bool row(Stream& stream, std::string_view text);
  void add(Stream& stream, const NcclTestsRow& row, const std::string& type, const std::string& reduction);
  void mix(Stream& stream);
  void insert(Stream& stream, const NcclTestsRow& row);
  void forget_header(Stream& stream);
  void repair(const std::string& what);

  NcclTestsLog log_;
  std::map<std::string, Stream> streams_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> repaired_;  // what -> count, first line
  std::string collective_, collective_from_;                             // last one named anywhere
  std::size_t line_number_ = 0;
};

}  // namespace paceline::nccl_tests
