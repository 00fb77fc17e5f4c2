// Zeroed memory that processes forked later share.
#pragma once

#include <cstddef>

namespace paceline {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);  // throws DeviceError
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace paceline
