// GNMT as in NVIDIA DeepLearningExamples (PyTorch/Translation/GNMT): the encoder's first LSTM runs in both
// directions; the decoder's first one feeds a normed additive attention whose context joins every further
// layer's input; residuals from the third layer on; one embedding for both sides.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

constexpr std::int64_t gates = 4;

class Gnmt {
 public:
  explicit Gnmt(const GnmtSpec& spec)
      : spec_(spec),
        steps_(static_cast<double>(spec.sequence)),
        stream_(static_cast<double>(spec.sequence * spec.hidden)) {}

  Model build() {
    const std::int64_t h = spec_.hidden;
    writer_.parameter("embedder.weight", spec_.vocabulary * h);
    register_lstm("encoder.0", h, 2);
    register_lstm("encoder.1", 2 * h, 1);
    for (std::int64_t index = 2; index < spec_.layers; ++index)
      register_lstm(fmt::format("encoder.{}", index), h, 1);
    register_lstm("decoder.0", h, 1);
    register_attention();
    for (std::int64_t index = 1; index < spec_.layers; ++index)
      register_lstm(fmt::format("decoder.{}", index), 2 * h, 1);
    writer_.linear_parameters("classifier", h, spec_.vocabulary);

    embed("embedder", {"embedder.weight"});
    lstm("encoder.0", h, 2, false);
    lstm("encoder.1", 2 * h, 1, false);
    for (std::int64_t index = 2; index < spec_.layers; ++index)
      lstm(fmt::format("encoder.{}", index), h, 1, true);
    embed("embedder.target", {});
    lstm("decoder.0", h, 1, false);
    attention();
    for (std::int64_t index = 1; index < spec_.layers; ++index)
      lstm(fmt::format("decoder.{}", index), 2 * h, 1, index > 1);
    head();
    return finish();
  }

 private:
  // Two biases a gate, as cuDNN's LSTM has them.
  void register_lstm(const std::string& name, std::int64_t inputs, std::int64_t directions) {
    const std::int64_t outputs = gates * spec_.hidden * directions;
    writer_.parameter(name + ".weight_ih", outputs * inputs);
    writer_.parameter(name + ".weight_hh", outputs * spec_.hidden);
    writer_.parameter(name + ".bias_ih", outputs);
    writer_.parameter(name + ".bias_hh", outputs);
    writer_.add_modules(1);
  }

  // Inputs of all steps are multiplied at once; the state's product runs step by step, with the gates behind.
  void lstm(const std::string& name, std::int64_t inputs, std::int64_t directions, bool residual) {
    const auto sides = static_cast<double>(directions);
    writer_
        .layer(name + ".input", Linear{steps_, inputs, gates * spec_.hidden * directions},
               {name + ".weight_ih", name + ".bias_ih"})
        .saved_elements = steps_ * static_cast<double>(inputs);
    writer_
        .layer(name + ".state", Recurrent{spec_.sequence, spec_.hidden, gates, directions},
               {name + ".weight_hh", name + ".bias_hh"})
        .saved_elements = sides * stream_;
    // Four gates and the old cell in, cell and state out; gates and cell are kept.
    writer_.layer(name + ".gates", Traffic{"lstm gates", 7 * sides * stream_, 11 * sides * stream_, 1, 1})
        .saved_elements = 5 * sides * stream_;
    const double dropped = static_cast<double>(inputs) * steps_;
    writer_.layer(name + ".dropout", Traffic{"dropout", 2.25 * dropped, 2.25 * dropped}).saved_bytes =
        dropped;
    if (residual) writer_.layer(name + ".add", Traffic{"add", 3 * stream_, 3 * stream_});
  }

  void register_attention() {
    writer_.linear_parameters("attention.query", spec_.hidden, spec_.hidden, false);
    writer_.linear_parameters("attention.key", spec_.hidden, spec_.hidden, false);
    writer_.parameter("attention.linear", spec_.hidden);
    writer_.parameter("attention.scale", 1);
    writer_.parameter("attention.bias", spec_.hidden);
    writer_.add_modules(3);
  }

  // Additive: the sum of every query and every key goes through tanh and a vector.
  void attention() {
    const double sums = steps_ * stream_, scores = steps_ * steps_;
    writer_.linear("attention.query", steps_, spec_.hidden, spec_.hidden);
    writer_.linear("attention.key", steps_, spec_.hidden, spec_.hidden);
    writer_
        .layer("attention.scores", Traffic{"additive scores", 6 * sums, 9 * sums, 5, 7},
               {"attention.linear", "attention.scale", "attention.bias"})
        .saved_elements = 2 * sums;
    writer_.layer("attention.softmax", Traffic{"softmax", 2 * scores, 3 * scores}).saved_elements = scores;
    writer_.layer("attention.context", BatchedGemm{1, spec_.sequence, spec_.hidden, spec_.sequence})
        .saved_elements = stream_;
  }

  void embed(const std::string& name, const std::vector<std::string>& parameters) {
    writer_.layer(name, Traffic{"embedding", 3 * stream_, 3 * stream_, 1, 2}, parameters).saved_bytes =
        token_id_bytes * steps_;
  }

  void head() {
    writer_.linear("classifier", steps_, spec_.hidden, spec_.vocabulary, Split::vocabulary);
    Layer& loss = writer_.layer("loss", VocabularyLoss{steps_, spec_.vocabulary});
    loss.saved_bytes = (4 * static_cast<double>(spec_.vocabulary) + token_id_bytes) * steps_;
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.input_bytes = 2 * token_id_bytes * steps_;
    model.output_elements = steps_ * static_cast<double>(spec_.vocabulary);
    model.modules += 8;
    return writer_.finish();
  }

  const GnmtSpec& spec_;
  double steps_, stream_;
  ModelWriter writer_;
};

}  // namespace

Model build_gnmt(const GnmtSpec& spec) { return Gnmt(spec).build(); }

}  // namespace paceline
