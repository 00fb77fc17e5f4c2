#include "probe/cpu/shared_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace paceline {

SharedMemory::SharedMemory(std::size_t bytes) : bytes_(bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw DeviceError("mmap", fmt::format("{} bytes of shared memory: {}", bytes, std::strerror(errno)),
                      "ask for fewer ranks");
  }
  data_ = static_cast<std::byte*>(memory);
}

SharedMemory::~SharedMemory() { ::munmap(data_, bytes_); }

}  // namespace paceline
