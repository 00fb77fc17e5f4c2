#include "probe/cuda_backend.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "probe/cuda/module.h"

namespace paceline {
namespace {
namespace fs = std::filesystem;

constexpr const char* module_name = "libpaceline_probe_cuda.so";
constexpr const char* without_cuda = "use --device cpu";

// The failure of a module, as the error it was inside.
class ModuleError : public Error {
 public:
  explicit ModuleError(const ModuleFailure& failure)
      : Error(failure.message, static_cast<ExitCode>(failure.exit_code)) {}
};

void throw_if_failed(const ModuleFailure& failure) {
  if (failure.failed) throw ModuleError(failure);
}

std::string find_module() {
  for (const std::string& folder : CudaBackend::module_folders()) {
    const fs::path file = fs::path(folder) / module_name;
    std::error_code ignored;
    if (fs::exists(file, ignored)) return file.string();
  }
  throw DeviceError(module_name, "not found beside paceline-probe or in its library folder",
                    fmt::format("install Paceline as a whole, or {}", without_cuda));
}

std::shared_ptr<void> load(const std::string& file) {
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* reason = ::dlerror();
    throw DeviceError("dlopen", reason ? reason : file,
                      fmt::format("install the CUDA run-time libraries (cuBLAS), or {}", without_cuda));
  }
  // Never unloaded: CUDA leaves threads behind that run its code.
  return {module, [](void*) {}};
}

template <class Function>
Function* symbol(void* module, const char* name) {
  void* address = ::dlsym(module, name);
  if (!address) throw DeviceError(module_name, fmt::format("has no {}", name), "install Paceline as a whole");
  return reinterpret_cast<Function*>(address);
}

void check_version(void* module) {
  const std::string found =
      symbol<decltype(paceline_probe_cuda_version)>(module, "paceline_probe_cuda_version")();
  if (found == PACELINE_VERSION) return;
  throw DeviceError(module_name,
                    fmt::format("is of version {}, paceline-probe of {}", found, PACELINE_VERSION),
                    "install Paceline as a whole");
}

}  // namespace

bool CudaBackend::is_built() {
#ifdef PACELINE_HAS_CUDA
  return true;
#else
  return false;
#endif
}

std::vector<std::string> CudaBackend::module_folders() {
  std::error_code status;
  const fs::path program = fs::read_symlink("/proc/self/exe", status);
  if (status) return {};
  const fs::path folder = program.parent_path();
  return {folder.string(), (folder.parent_path() / PACELINE_MODULE_FOLDER).string()};
}

CudaBackend::CudaBackend() {
  if (!is_built()) {
    throw DeviceError("--device cuda", "this build has no CUDA back end",
                      fmt::format("build it where CMake finds nvcc, or {}", without_cuda));
  }
  module_ = load(find_module());
  check_version(module_.get());
  ModuleFailure failure;
  symbol<decltype(paceline_probe_cuda_check)>(module_.get(), "paceline_probe_cuda_check")(failure);
  throw_if_failed(failure);
}

Profile CudaBackend::probe(const ProbeRun& run) const {
  Profile profile;
  ModuleFailure failure;
  symbol<decltype(paceline_probe_cuda_run)>(module_.get(), "paceline_probe_cuda_run")(run, profile, failure);
  throw_if_failed(failure);
  return profile;
}

}  // namespace paceline
