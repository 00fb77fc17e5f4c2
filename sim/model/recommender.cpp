// Recommenders: DLRM as in MLPerf Training, neural collaborative filtering as in NVIDIA DeepLearningExamples.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/model_writer.h"

namespace paceline {
namespace {

constexpr double index_bytes = 8;

void register_chain(ModelWriter& writer, const std::string& name, std::int64_t inputs,
                    const std::vector<std::int64_t>& outputs) {
  for (std::size_t index = 0; index < outputs.size(); inputs = outputs[index++])
    writer.linear_parameters(fmt::format("{}.{}", name, 2 * index), inputs, outputs[index]);
}

// Linear layers with ReLU between them; `last_is_active`: one behind the last too.
void write_chain(ModelWriter& writer, const std::string& name, std::int64_t inputs,
                 const std::vector<std::int64_t>& outputs, bool last_is_active) {
  for (std::size_t index = 0; index < outputs.size(); inputs = outputs[index++]) {
    writer.linear(fmt::format("{}.{}", name, 2 * index), 1, inputs, outputs[index]);
    const bool active = index + 1 < outputs.size() || last_is_active;
    if (active)
      writer.layer(fmt::format("{}.{}", name, 2 * index + 1),
                   ElementWise{ElementWiseKind::activation, static_cast<double>(outputs[index])});
  }
  writer.add_modules(2 * static_cast<std::int64_t>(outputs.size()) + 1);
}

// One row is read and written; backward adds to the rows that were read.
void look_up(ModelWriter& writer, const std::string& name, std::int64_t width) {
  const auto elements = static_cast<double>(width);
  writer.layer(name, Traffic{"embedding", 2 * elements, 3 * elements, 1, 2}, {name + ".weight"}).saved_bytes =
      index_bytes;
  writer.add_modules(1);
}

void binary_loss(ModelWriter& writer) {
  writer.layer("loss", Traffic{"loss", 4, 4, 2, 2}).saved_elements = 2;
}

Model finish(ModelWriter& writer, double input_bytes) {
  writer.model().input_bytes = input_bytes;
  writer.model().output_elements = 1;
  writer.add_modules(1);
  return writer.finish();
}

}  // namespace

Model build_dlrm(const DlrmSpec& spec) {
  const auto features = static_cast<std::int64_t>(spec.tables.size()) + 1;
  const std::int64_t joined = spec.width + features * (features - 1) / 2;
  constexpr std::int64_t multiple = 8;  // the last MLP's input, padded for tensor cores
  const std::int64_t padded = spec.pad_pairs ? (joined + multiple - 1) / multiple * multiple : joined;

  ModelWriter writer;
  for (std::size_t table = 0; table < spec.tables.size(); ++table)
    writer.parameter(fmt::format("embeddings.{}.weight", table), spec.tables[table] * spec.width);
  register_chain(writer, "bottom_mlp", spec.numbers, spec.bottom);
  register_chain(writer, "top_mlp", padded, spec.top);

  for (std::size_t table = 0; table < spec.tables.size(); ++table)
    look_up(writer, fmt::format("embeddings.{}", table), spec.width);
  write_chain(writer, "bottom_mlp", spec.numbers, spec.bottom, true);
  const auto vectors = static_cast<double>(features * spec.width);
  writer.layer("interaction.join", ElementWise{ElementWiseKind::concat, vectors, vectors});
  writer.layer("interaction.products", BatchedGemm{1, features, features, spec.width}).saved_elements =
      vectors;
  const auto pairs = static_cast<double>(padded);
  writer.layer("interaction.pairs", Traffic{"select pairs", 3 * pairs, 3 * pairs, 2, 2});
  write_chain(writer, "top_mlp", padded, spec.top, false);
  binary_loss(writer);
  constexpr double fp32_bytes = 4;
  return finish(writer, fp32_bytes * static_cast<double>(spec.numbers) +
                            index_bytes * static_cast<double>(spec.tables.size()));
}

Model build_ncf(const NcfSpec& spec) {
  const std::int64_t half = spec.layers.front() / 2;
  const std::vector<std::int64_t> outputs(spec.layers.begin() + 1, spec.layers.end());
  const std::int64_t last = outputs.back() + spec.factors;
  ModelWriter writer;
  writer.parameter("mf_user_embed.weight", spec.users * spec.factors);
  writer.parameter("mf_item_embed.weight", spec.items * spec.factors);
  writer.parameter("mlp_user_embed.weight", spec.users * half);
  writer.parameter("mlp_item_embed.weight", spec.items * half);
  register_chain(writer, "mlp", spec.layers.front(), outputs);
  writer.linear_parameters("final", last, 1);

  for (const char* side : {"user", "item"}) look_up(writer, fmt::format("mf_{}_embed", side), spec.factors);
  const auto product = static_cast<double>(spec.factors);
  writer.layer("mf.product", Traffic{"product", 3 * product, 4 * product, 1, 2}).saved_elements = 2 * product;
  for (const char* side : {"user", "item"}) look_up(writer, fmt::format("mlp_{}_embed", side), half);
  const auto joined = static_cast<double>(2 * half);
  writer.layer("mlp.join", ElementWise{ElementWiseKind::concat, joined, joined});
  write_chain(writer, "mlp", spec.layers.front(), outputs, true);
  writer.linear("final", 1, last, 1);
  binary_loss(writer);
  return finish(writer, 2 * index_bytes);
}

}  // namespace paceline
