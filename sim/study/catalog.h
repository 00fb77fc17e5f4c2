// Everything that scenarios/ describes, loaded once and passed around: hardware, models, frameworks, kernels,
// recipes, presets.
#pragma once

#include <string>

#include "sim/cost/kernel/kernel_rates_catalog.h"
#include "sim/cost/kernel_library.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/model/model_catalog.h"
#include "sim/strategy/framework.h"
#include "sim/study/presets.h"
#include "sim/study/recipes.h"

namespace paceline {

struct Catalog {
  HardwareCatalog hardware;
  ModelCatalog models;
  FrameworkCatalog frameworks;
  KernelLibrary kernels;
  KernelRatesCatalog kernel_rates;
  RecipeCatalog recipes;
  PresetCatalog presets;

  // Throws InputError when the folder or a file in it is wrong.
  static Catalog load(const std::string& folder);
};

// The scenarios folder: `given` if not empty, else the environment variable PACELINE_DATA, else beside the
// program (installed: ../share/paceline/scenarios), else the source tree it was built from. Throws InputError
// if none exists.
[[nodiscard]] std::string find_data_folder(const std::string& given);

}  // namespace paceline
