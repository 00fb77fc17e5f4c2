// A chain of linear layers: small enough to measure on any machine, simple enough to check by hand.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/model_writer.h"

namespace paceline {
namespace {

// torch.nn.Sequential(Linear, ReLU, Linear, ...): linear layers have even positions.
std::string position_name(std::int64_t position) { return fmt::format("{}", position); }

std::int64_t inputs_of(const MlpSpec& spec, std::int64_t layer) {
  return layer == 0 ? spec.inputs : spec.hidden;
}
std::int64_t outputs_of(const MlpSpec& spec, std::int64_t layer) {
  return layer + 1 == spec.layers ? spec.outputs : spec.hidden;
}

}  // namespace

Model build_mlp(const MlpSpec& spec) {
  ModelWriter writer;
  for (std::int64_t layer = 0; layer < spec.layers; ++layer)
    writer.linear_parameters(position_name(2 * layer), inputs_of(spec, layer), outputs_of(spec, layer));

  for (std::int64_t layer = 0; layer < spec.layers; ++layer) {
    // ReLU keeps its output, which is the next layer's kept input: one tensor.
    Layer& linear =
        writer.linear(position_name(2 * layer), 1, inputs_of(spec, layer), outputs_of(spec, layer));
    if (layer == 0) std::get<Linear>(linear.work).input_needs_gradient = false;
    if (layer + 1 < spec.layers)
      writer.layer(position_name(2 * layer + 1),
                   ElementWise{ElementWiseKind::activation, static_cast<double>(spec.hidden)});
  }
  const auto outputs = static_cast<double>(spec.outputs);
  // Reads the prediction and its target; backward writes a gradient as well. Both are kept.
  writer.layer("loss", Traffic{"mean squared error", 2 * outputs, 3 * outputs}).saved_elements = 2 * outputs;

  constexpr double fp32_bytes = 4;
  Model& model = writer.model();
  model.input_bytes = fp32_bytes * static_cast<double>(spec.inputs);
  model.output_elements = outputs;
  model.modules = 2 * spec.layers;  // the Sequential, the linear layers, the ReLUs between them
  return writer.finish();
}

}  // namespace paceline
