// What the CUDA module exports and paceline-probe looks up in it. The module is loaded while running, so that
// paceline-probe starts on machines without CUDA libraries.
#pragma once

#include <string>

#include "probe/probe_run.h"

namespace paceline {

// Exceptions stay inside the module; they cross as this.
struct ModuleFailure {
  bool failed = false;
  int exit_code = 0;
  std::string message;
};

#define PACELINE_EXPORT __attribute__((visibility("default")))

extern "C" {
// The version it was built from. Only a module of the same build shares its types.
PACELINE_EXPORT const char* paceline_probe_cuda_version();
// Fails if no device can be used.
PACELINE_EXPORT void paceline_probe_cuda_check(ModuleFailure& failure);
PACELINE_EXPORT void paceline_probe_cuda_run(const ProbeRun& run, Profile& profile, ModuleFailure& failure);
}

}  // namespace paceline
