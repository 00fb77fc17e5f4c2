#include "sim/study/catalog.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace paceline {
namespace fs = std::filesystem;

Catalog Catalog::load(const std::string& folder) {
  return {HardwareCatalog::load(folder),
          ModelCatalog::load(folder + "/models"),
          FrameworkCatalog::load(folder + "/frameworks"),
          read_kernel_library(folder + "/kernels/cudnn-cublas.json"),
          KernelRatesCatalog::load(folder + "/kernels"),
          RecipeCatalog::load(folder + "/recipes"),
          PresetCatalog::load(folder + "/presets")};
}

std::string find_data_folder(const std::string& given) {
  if (!given.empty()) {
    if (fs::is_directory(given)) return given;
    throw InputError("--data", "\"" + given + "\"", "a folder", "name the project's scenarios folder");
  }
  std::vector<fs::path> places;
  if (const char* variable = std::getenv("PACELINE_DATA")) places.emplace_back(variable);
  std::error_code status;
  const fs::path program = fs::read_symlink("/proc/self/exe", status);
  if (!status) places.push_back(program.parent_path().parent_path() / "share" / "paceline" / "scenarios");
  places.emplace_back(PACELINE_SOURCE_SCENARIOS);
  for (const fs::path& place : places)
    if (fs::is_directory(place / "devices", status)) return place.string();
  throw InputError("scenarios folder", "none", "the catalog beside the program",
                   "name it with --data or the environment variable PACELINE_DATA");
}

}  // namespace paceline
