// The CUDA back end, as seen from a program that may run on machines without CUDA.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "probe/probe_run.h"

namespace paceline {

class CudaBackend {
 public:
  // False if this build had no CUDA compiler.
  static bool is_built();
  // Folders in which the module is looked for: that of the running program, then the installed one.
  static std::vector<std::string> module_folders();

  // Loads the module and asks for a device. Throws DeviceError that says what is missing and what to do.
  CudaBackend();

  // Throws DeviceError if a call fails.
  [[nodiscard]] Profile probe(const ProbeRun& run) const;

 private:
  std::shared_ptr<void> module_;
};

}  // namespace paceline
