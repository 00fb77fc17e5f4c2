// BERT with both pre-training heads (Devlin et al. 2018), registered as transformers' BertForPreTraining. As
// in the published pre-training scripts the vocabulary head runs on the masked positions only, so that is
// what forward returns, besides the two logits of the next-sentence head.
#include <fmt/format.h>

#include <cmath>

#include "sim/model/builders.h"
#include "sim/model/transformer_writer.h"

namespace paceline {
namespace {

const std::string embeddings = "bert.embeddings";
const std::string predictions = "cls.predictions";

class Bert {
 public:
  explicit Bert(const BertSpec& spec)
      : spec_(spec),
        writer_(spec),
        masked_(spec.masked_positions > 0 ? spec.masked_positions : bert_masked_positions(spec.sequence)) {}

  Model build() {
    register_parameters();
    embed();
    for (std::int64_t index = 0; index < spec_.layers; ++index) encoder_layer(layer_name(index));
    if (spec_.next_sentence) next_sentence_head();
    vocabulary_head();
    return finish();
  }

 private:
  static std::string layer_name(std::int64_t index) { return fmt::format("bert.encoder.layer.{}", index); }

  void register_parameters() {
    writer_.parameter(embeddings + ".word_embeddings.weight", spec_.vocabulary * spec_.hidden);
    writer_.parameter(embeddings + ".position_embeddings.weight", spec_.positions * spec_.hidden);
    if (spec_.token_types > 0)
      writer_.parameter(embeddings + ".token_type_embeddings.weight", spec_.token_types * spec_.hidden);
    writer_.norm_parameters(embeddings + ".LayerNorm", spec_.hidden);
    for (std::int64_t index = 0; index < spec_.layers; ++index) register_layer(layer_name(index));
    if (spec_.next_sentence) writer_.linear_parameters("bert.pooler.dense", spec_.hidden, spec_.hidden);
    // The decoder's weight is the word embedding's; its bias belongs to the head that holds it.
    writer_.parameter(predictions + ".bias", spec_.vocabulary);
    writer_.linear_parameters(predictions + ".transform.dense", spec_.hidden, spec_.hidden);
    writer_.norm_parameters(predictions + ".transform.LayerNorm", spec_.hidden);
    if (spec_.next_sentence) writer_.linear_parameters("cls.seq_relationship", spec_.hidden, 2);
  }

  void register_layer(const std::string& name) {
    for (const char* part :
         {".attention.self.query", ".attention.self.key", ".attention.self.value", ".attention.output.dense"})
      writer_.linear_parameters(name + part, spec_.hidden, spec_.hidden);
    writer_.norm_parameters(name + ".attention.output.LayerNorm", spec_.hidden);
    writer_.linear_parameters(name + ".intermediate.dense", spec_.hidden, spec_.feed_forward);
    writer_.linear_parameters(name + ".output.dense", spec_.feed_forward, spec_.hidden);
    writer_.norm_parameters(name + ".output.LayerNorm", spec_.hidden);
  }

  // Forward: three look-ups, two sums, norm, dropout. The tied word embedding is ready only when this is
  // done.
  void embed() {
    const double stream = writer_.stream();
    std::vector<std::string> tables{embeddings + ".word_embeddings.weight",
                                    embeddings + ".position_embeddings.weight"};
    if (spec_.token_types > 0) tables.push_back(embeddings + ".token_type_embeddings.weight");
    tables.push_back(embeddings + ".LayerNorm.weight");
    tables.push_back(embeddings + ".LayerNorm.bias");
    Layer& layer = writer_.layer(embeddings, Traffic{"embedding", 8 * stream, 8 * stream, 7, 8}, tables);
    layer.saved_elements = stream;                                       // norm input
    layer.saved_bytes = stream + 3 * token_id_bytes * writer_.tokens();  // dropout mask, indices
    layer.split = Split::vocabulary;
  }

  void encoder_layer(const std::string& name) {
    const std::string self = name + ".attention.self";
    const double tokens = writer_.tokens();
    writer_.begin_block(name);
    writer_.linear(self + ".query", tokens, spec_.hidden, spec_.hidden, Split::outputs);
    for (const char* part : {".key", ".value"})  // their input is the query's
      writer_.linear(self + part, tokens, spec_.hidden, spec_.hidden, Split::outputs).saved_elements = 0;
    writer_.split_heads(self + ".split");
    writer_.eager_attention(self, false);
    writer_.merge_heads(self + ".merge");
    writer_.linear(name + ".attention.output.dense", tokens, spec_.hidden, spec_.hidden, Split::inputs);
    add_and_norm(name + ".attention.output.LayerNorm");
    writer_.linear(name + ".intermediate.dense", tokens, spec_.hidden, spec_.feed_forward, Split::outputs);
    writer_.bias_gelu(name + ".intermediate.gelu", tokens, spec_.feed_forward);
    writer_.linear(name + ".output.dense", tokens, spec_.feed_forward, spec_.hidden, Split::inputs);
    add_and_norm(name + ".output.LayerNorm");
    writer_.end_eager_block(spec_, false);
  }

  void add_and_norm(const std::string& name) {
    const double stream = writer_.stream();
    const Traffic traffic{"dropout, add, layer norm", 9.25 * stream, 12.5 * stream, 3, 4};
    Layer& layer = writer_.layer_with_own_parameters(name, traffic);
    layer.saved_elements = stream;  // norm input; its statistics, 8 B a row, are left out as is usual
    layer.saved_bytes = stream;     // dropout mask
  }

  void next_sentence_head() {
    const auto width = static_cast<double>(spec_.hidden);
    writer_.linear("bert.pooler.dense", 1, spec_.hidden, spec_.hidden);
    writer_.layer("bert.pooler.activation", Traffic{"tanh", 2 * width, 3 * width});  // output: kept below
    writer_.linear("cls.seq_relationship", 1, spec_.hidden, 2);
    writer_.layer("loss.next_sentence", Traffic{"loss", 4, 4, 2, 2}).saved_bytes = 2 * 4 + token_id_bytes;
  }

  void vocabulary_head() {
    const double rows = masked_ * static_cast<double>(spec_.hidden);
    // Backward fills the whole stream with zeros and adds the rows that were picked.
    writer_.layer(predictions + ".gather", Traffic{"gather", 2 * rows, writer_.stream() + 2 * rows, 1, 2})
        .saved_bytes = token_id_bytes * masked_;
    writer_.linear(predictions + ".transform.dense", masked_, spec_.hidden, spec_.hidden);
    writer_.bias_gelu(predictions + ".transform.gelu", masked_, spec_.hidden);
    writer_
        .layer_with_own_parameters(predictions + ".transform.LayerNorm",
                                   Traffic{"layer norm", 4 * rows, 4 * rows, 1, 2})
        .saved_elements = rows;
    const Linear decoder{masked_, spec_.hidden, spec_.vocabulary};
    Layer& logits = writer_.layer(predictions + ".decoder", decoder, {predictions + ".bias"});
    logits.saved_elements = rows;
    logits.split = Split::vocabulary;
    writer_.vocabulary_loss("loss.masked_tokens", masked_);
  }

  Model finish() {
    Model& model = writer_.model();
    model.family = ModelFamily::encoder;
    model.sequence = spec_.sequence;
    model.tied_head = true;
    model.input_bytes = 3 * token_id_bytes * writer_.tokens();  // tokens, segments, attention mask
    model.output_elements = masked_ * static_cast<double>(spec_.vocabulary) + (spec_.next_sentence ? 2 : 0);
    // 18 a layer; 6 embeddings, 3 pooler, 8 heads, the encoder and its list, the inner and the outer model.
    model.modules = 18 * spec_.layers + 21;
    return writer_.finish();
  }

  const BertSpec& spec_;
  TransformerWriter writer_;
  double masked_;
};

}  // namespace

double bert_masked_positions(std::int64_t sequence) {
  return std::ceil(static_cast<double>(sequence) * 20 / 128);
}

Model build_bert(const BertSpec& spec) { return Bert(spec).build(); }

}  // namespace paceline
