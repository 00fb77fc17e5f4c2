#include "sim/study/nccl_tests/nccl_tests_log.h"

#include <fstream>
#include <iterator>

#include "base/error.h"
#include "sim/study/nccl_tests/json_reader.h"
#include "sim/study/nccl_tests/reader.h"

namespace paceline {

NcclTestsLog read_nccl_tests(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  // A folder opens and then gives nothing.
  if (!stream || (stream.peek() == std::char_traits<char>::eof() && stream.bad()))
    throw InputError(file, "no readable file", "the output of nccl-tests", "check the name");
  return read_nccl_tests(stream, file);
}

NcclTestsLog read_nccl_tests(std::istream& stream, const std::string& file) {
  stream >> std::ws;
  if (stream.peek() == '{') {
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return nccl_tests::read_json_log(text, file);
  }
  nccl_tests::Reader reader(file);
  for (std::string line; std::getline(stream, line);) reader.line(line);
  return reader.finish();
}

}  // namespace paceline
