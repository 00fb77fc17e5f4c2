#include "sim/model/model_writer.h"

#include <fmt/format.h>

#include "base/error.h"

namespace paceline {

void ModelWriter::parameter(const std::string& name, std::int64_t elements) {
  constexpr double most = 1e18;  // sums of elements stay inside 64 bits
  total_ += static_cast<double>(elements);
  if (total_ > most)
    throw InputError("model", fmt::format("{:.3g} parameters", total_), "at most 1e18",
                     "use fewer or narrower layers");
  index_.emplace(name, model_.parameters.size());
  model_.parameters.push_back({name, elements});
}

void ModelWriter::linear_parameters(const std::string& name, std::int64_t inputs, std::int64_t outputs,
                                    bool bias) {
  parameter(name + ".weight", inputs * outputs);
  if (bias) parameter(name + ".bias", outputs);
}

void ModelWriter::norm_parameters(const std::string& name, std::int64_t width, bool bias) {
  parameter(name + ".weight", width);
  if (bias) parameter(name + ".bias", width);
}

Layer& ModelWriter::layer(const std::string& name, decltype(Layer::work) work,
                          const std::vector<std::string>& parameters) {
  Layer layer;
  layer.name = name;
  layer.work = std::move(work);
  for (const std::string& parameter : parameters) layer.parameters.push_back(index_.at(parameter));
  model_.layers.push_back(std::move(layer));
  return model_.layers.back();
}

Layer& ModelWriter::layer_with_own_parameters(const std::string& name, decltype(Layer::work) work) {
  std::vector<std::string> own;
  for (const char* suffix : {".weight", ".bias"})
    if (index_.contains(name + suffix)) own.push_back(name + suffix);
  return layer(name, std::move(work), own);
}

void ModelWriter::begin_block(const std::string& name) {
  open_block_ = {};
  open_block_.name = name;
  open_block_.first_layer = model_.layers.size();
}

void ModelWriter::end_block(const Block& shape) {
  Block block = shape;
  block.name = open_block_.name;
  block.first_layer = open_block_.first_layer;
  block.end_layer = model_.layers.size();
  block.lead_layer = block.first_layer;
  model_.blocks.push_back(std::move(block));
}

Layer& ModelWriter::linear(const std::string& name, double rows, std::int64_t inputs, std::int64_t outputs,
                           Split split) {
  Layer& added = layer_with_own_parameters(name, Linear{rows, inputs, outputs});
  added.saved_elements = rows * static_cast<double>(inputs);
  added.split = split;
  return added;
}

}  // namespace paceline
