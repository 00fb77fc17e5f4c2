// Transformer-XL (Dai et al. 2019) as in NVIDIA DeepLearningExamples: keys and values of the segment before
// are remembered without a gradient; relative positions take a projection and a product of their own; the
// embedding and the softmax are adaptive: frequent words first, in clusters of ever narrower vectors, head
// tied.
#include <fmt/format.h>

#include "sim/model/builders.h"
#include "sim/model/transformer_writer.h"
#include "sim/model/vocabulary_clusters.h"

namespace paceline {
namespace {

class TransformerXl {
 public:
  explicit TransformerXl(const TransformerXlSpec& spec)
      : spec_(spec),
        keys_(spec.sequence + spec.memory),
        tokens_(static_cast<double>(spec.sequence)),
        stream_(static_cast<double>(spec.sequence * spec.hidden)),
        all_(static_cast<double>(keys_ * spec.hidden)),
        clusters_(spec) {}

  Model build() {
    register_parameters();
    embed();
    for (std::int64_t index = 0; index < spec_.layers; ++index) layer(layer_name(index));
    dropout("dropout");
    head();
    return finish();
  }

 private:
  static std::string layer_name(std::int64_t index) { return fmt::format("layers.{}", index); }
  static std::string table(std::size_t cluster) { return fmt::format("word_emb.{}", cluster); }
  void register_parameters() {
    for (std::size_t cluster = 0; cluster < clusters_.count(); ++cluster)
      writer_.parameter(table(cluster) + ".weight", (clusters_.words(cluster)) * clusters_.width(cluster));
    if (spec_.divisor > 1)
      for (std::size_t cluster = 0; cluster < clusters_.count(); ++cluster)
        writer_.linear_parameters(table(cluster) + ".projection", clusters_.width(cluster), spec_.hidden,
                                  false);
    for (std::int64_t index = 0; index < spec_.layers; ++index) register_layer(layer_name(index));
    writer_.parameter("r_w_bias", spec_.hidden);
    writer_.parameter("r_r_bias", spec_.hidden);
    const auto tails = static_cast<std::int64_t>(spec_.cutoffs.size());
    writer_.parameter("crit.cluster.weight", tails * spec_.hidden);
    writer_.parameter("crit.cluster.bias", tails);
    writer_.parameter("crit.bias", spec_.vocabulary);
    if (spec_.divisor > 1) writer_.linear_parameters("crit.projection", spec_.hidden, spec_.hidden, false);
  }

  void register_layer(const std::string& name) {
    writer_.linear_parameters(name + ".attn.qkv_net", spec_.hidden, 3 * spec_.hidden, false);
    writer_.linear_parameters(name + ".attn.r_net", spec_.hidden, spec_.hidden, false);
    writer_.linear_parameters(name + ".attn.o_net", spec_.hidden, spec_.hidden, false);
    writer_.norm_parameters(name + ".attn.layer_norm", spec_.hidden);
    writer_.linear_parameters(name + ".ff.up", spec_.hidden, spec_.feed_forward);
    writer_.linear_parameters(name + ".ff.down", spec_.feed_forward, spec_.hidden);
    writer_.norm_parameters(name + ".ff.layer_norm", spec_.hidden);
  }

  void embed() {
    std::vector<std::string> tables;
    for (std::size_t cluster = 0; cluster < clusters_.count(); ++cluster)
      tables.push_back(table(cluster) + ".weight");
    // The biases of the scores are ready as late as the embedding: every layer adds to them.
    tables.insert(tables.end(), {"r_w_bias", "r_r_bias"});
    const int kernels = static_cast<int>(4 * clusters_.count());
    writer_.layer("word_emb", Traffic{"embedding", 5 * stream_, 5 * stream_, kernels, kernels}, tables)
        .saved_bytes = token_id_bytes * tokens_;
    if (spec_.divisor > 1)
      for (std::size_t cluster = 0; cluster < clusters_.count(); ++cluster)
        writer_.linear(table(cluster) + ".projection", tokens_ * clusters_.share(cluster),
                       clusters_.width(cluster), spec_.hidden);
    dropout("word_emb.dropout");
  }

  void dropout(const std::string& name) {
    writer_.layer(name, Traffic{"dropout", 2.25 * stream_, 2.25 * stream_}).saved_bytes = stream_;
  }

  void layer(const std::string& name) {
    writer_.begin_block(name);
    attention(name + ".attn");
    feed_forward(name + ".ff");
    Block block;
    block.hidden = spec_.hidden;
    block.feed_forward = spec_.feed_forward;
    block.dropout = true;
    AttentionShape shape;
    shape.heads = shape.key_value_heads = spec_.heads;
    shape.head_size = shape.value_size = spec_.hidden / spec_.heads;
    shape.queries = spec_.sequence;
    shape.keys = keys_;
    shape.causal = shape.dropout = true;
    block.attention.push_back(shape);
    writer_.end_block(block);
  }

  void attention(const std::string& name) {
    const auto keys = static_cast<double>(keys_), heads = static_cast<double>(spec_.heads);
    const std::int64_t head = spec_.hidden / spec_.heads;
    const double square = heads * tokens_ * keys;
    writer_.linear(name + ".qkv_net", keys, spec_.hidden, 3 * spec_.hidden, Split::outputs);
    writer_.linear(name + ".r_net", keys, spec_.hidden, spec_.hidden, Split::outputs);
    add(name + ".bias", Traffic{"add", 4 * stream_, 4 * stream_, 2, 2}, 0, 0);
    add(name + ".scores", BatchedGemm{heads, spec_.sequence, keys_, head}, stream_ + all_, 0);
    add(name + ".position_scores", BatchedGemm{heads, spec_.sequence, keys_, head}, stream_ + all_, 0);
    // The shift that turns distances into positions, the sum, scale, mask, softmax, dropout.
    add(name + ".softmax", Traffic{"softmax", 15.25 * square, 14.25 * square, 9, 8}, square, square);
    add(name + ".context", BatchedGemm{heads, spec_.sequence, head, keys_}, square + all_, 0);
    add(name + ".merge", Traffic{"head transposes", 2 * stream_, 2 * stream_, 1, 1}, 0, 0);
    writer_.linear(name + ".o_net", tokens_, spec_.hidden, spec_.hidden, Split::inputs);
    add_and_norm(name + ".layer_norm");
  }

  void add(const std::string& name, decltype(Layer::work) work, double elements, double bytes) {
    Layer& added = writer_.layer(name, std::move(work));
    added.saved_elements = elements;
    added.saved_bytes = bytes;
    added.split = Split::heads;
  }

  void feed_forward(const std::string& name) {
    const double wide = tokens_ * static_cast<double>(spec_.feed_forward);
    writer_.linear(name + ".up", tokens_, spec_.hidden, spec_.feed_forward, Split::outputs);
    Layer& activation =
        writer_.layer(name + ".activation", Traffic{"bias, relu, dropout", 6.25 * wide, 6.25 * wide, 3, 3});
    activation.saved_bytes = wide;
    activation.split = Split::outputs;
    writer_.linear(name + ".down", tokens_, spec_.feed_forward, spec_.hidden, Split::inputs);
    add_and_norm(name + ".layer_norm");
  }

  void add_and_norm(const std::string& name) {
    const Traffic traffic{"dropout, add, layer norm", 9.25 * stream_, 12.5 * stream_, 3, 4};
    Layer& norm = writer_.layer_with_own_parameters(name, traffic);
    norm.saved_elements = stream_;
    norm.saved_bytes = stream_;
  }

  // All tokens choose among the frequent words and the clusters; those of a cluster among its words.
  void head() {
    const auto tails = static_cast<std::int64_t>(spec_.cutoffs.size());
    if (spec_.divisor > 1) writer_.linear("crit.projection", tokens_, spec_.hidden, spec_.hidden);
    Layer& logits = writer_.layer("crit.head", Linear{tokens_, spec_.hidden, clusters_.words(0) + tails},
                                  {"crit.cluster.weight", "crit.cluster.bias", "crit.bias"});
    logits.saved_elements = stream_;
    logits.split = Split::vocabulary;
    loss("loss.head", tokens_, clusters_.words(0) + tails);
    for (std::size_t cluster = 1; cluster < clusters_.count(); ++cluster) {
      const std::string name = fmt::format("crit.tail{}", cluster);
      if (spec_.divisor > 1)
        writer_.layer(name + ".projection",
                      Linear{tokens_ * clusters_.share(cluster), spec_.hidden, clusters_.width(cluster)});
      const std::int64_t words = clusters_.words(cluster);
      Layer& tail =
          writer_.layer(name, Linear{tokens_ * clusters_.share(cluster), clusters_.width(cluster), words});
      tail.saved_elements =
          tokens_ * clusters_.share(cluster) * static_cast<double>(clusters_.width(cluster));
      tail.split = Split::vocabulary;
      loss(fmt::format("loss.tail{}", cluster), tokens_ * clusters_.share(cluster), words);
    }
  }

  void loss(const std::string& name, double rows, std::int64_t words) {
    Layer& added = writer_.layer(name, VocabularyLoss{rows, words});
    added.saved_bytes = (4 * static_cast<double>(words) + token_id_bytes) * rows;
    added.split = Split::vocabulary;
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::decoder;
    model.sequence = spec_.sequence;
    model.tied_head = true;
    model.input_bytes = 2 * token_id_bytes * tokens_;  // tokens and targets
    model.output_elements = tokens_;                   // the loss of each
    model.modules = 14 * spec_.layers + 12;
    return writer_.finish();
  }

  const TransformerXlSpec& spec_;
  std::int64_t keys_;
  double tokens_, stream_, all_;
  VocabularyClusters clusters_;
  ModelWriter writer_;
};

}  // namespace

Model build_transformer_xl(const TransformerXlSpec& spec) { return TransformerXl(spec).build(); }

}  // namespace paceline
