#include "probe/cuda/module.h"

#include <fmt/format.h>

#include "base/error.h"
#include "probe/cuda/device.h"
#include "probe/cuda/device_gemm.h"
#include "probe/cuda/device_launch.h"
#include "probe/cuda/device_memory.h"

namespace paceline {
namespace {

std::string cublas_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  check(cublasGetProperty(MAJOR_VERSION, &major), "cublasGetProperty");
  check(cublasGetProperty(MINOR_VERSION, &minor), "cublasGetProperty");
  check(cublasGetProperty(PATCH_LEVEL, &patch), "cublasGetProperty");
  return fmt::format("cuBLAS {}.{}.{}", major, minor, patch);
}

Profile probe_cuda(const ProbeRun& run) {
  const CudaDevice device;
  Profile profile = new_profile("cuda", device.name());
  profile.notes = device.description();
  profile.notes.push_back(cublas_version());
  const auto asked_for = [&](Part part) { return run.request.parts.count(part) > 0; };
  if (asked_for(Part::launch)) measure_device_launches(run, device, profile);
  if (asked_for(Part::gemm)) measure_device_gemms(run, device, profile);
  if (asked_for(Part::memory)) measure_device_memory(run, device, profile);
  if (asked_for(Part::copies)) measure_device_copies(run, device, profile);
  note_noise(profile);
  return profile;
}

// No exception may leave the module: its types are not those of the program that loaded it.
template <class Work>
void without_exceptions(ModuleFailure& failure, Work work) {
  try {
    work();
  } catch (const Error& error) {
    failure = {true, static_cast<int>(error.exit_code()), error.what()};
  } catch (const std::exception& error) {
    failure = {true, static_cast<int>(ExitCode::other), error.what()};
  }
}

}  // namespace

const char* paceline_probe_cuda_version() { return PACELINE_VERSION; }

void paceline_probe_cuda_check(ModuleFailure& failure) {
  without_exceptions(failure, [] { const CudaDevice device; });
}

void paceline_probe_cuda_run(const ProbeRun& run, Profile& profile, ModuleFailure& failure) {
  without_exceptions(failure, [&] { profile = probe_cuda(run); });
}

}  // namespace paceline
