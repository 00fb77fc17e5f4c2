// What every builder needs: parameters registered by name, layers that refer to them by name.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "sim/model/model.h"

namespace paceline {

// Registration order and forward order differ in many frameworks' models, so a builder first registers all
// parameters, then writes the layers.
class ModelWriter {
 public:
  void parameter(const std::string& name, std::int64_t elements);  // throws InputError beyond 1e18 in all
  [[nodiscard]] bool registered(const std::string& name) const { return index_.contains(name); }
  // NAME.weight and, if asked for, NAME.bias.
  void linear_parameters(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                         bool bias = true);
  void norm_parameters(const std::string& name, std::int64_t width, bool bias = true);

  // The layer stays valid until the next one is added. Every name in `parameters` must be registered.
  Layer& layer(const std::string& name, decltype(Layer::work) work,
               const std::vector<std::string>& parameters = {});
  // A layer whose parameters are those of NAME.weight and NAME.bias that are registered; keeps nothing.
  Layer& layer_with_own_parameters(const std::string& name, decltype(Layer::work) work);
  // rows x inputs times a weight; keeps its input.
  Layer& linear(const std::string& name, double rows, std::int64_t inputs, std::int64_t outputs,
                Split split = Split::none);
  // The layers added between the two calls are a block; the second one fills in where they stand.
  void begin_block(const std::string& name);
  void end_block(const Block& shape);

  void add_modules(std::int64_t count) { model_.modules += count; }
  Model& model() { return model_; }
  [[nodiscard]] Model finish() { return std::move(model_); }

 private:
  Model model_;
  double total_ = 0;  // elements of all parameters
  Block open_block_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace paceline
