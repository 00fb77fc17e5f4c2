#include "sim/cost/transformer/further_prediction.h"

namespace paceline {
namespace {

constexpr double norms = 2;             // of the embedding and of the stream
constexpr double embedding_passes = 3;  // a row and its gradient read, a row written

}  // namespace

LayerPart further_prediction_part(const LayerContext& context, const Block& block) {
  const double hidden = static_cast<double>(block.hidden);
  const double tensor = context.parallel.degrees.tensor;
  const Bytes stream(context.rank_tokens() * hidden * context.element);
  const Passes& norm = context.rules.element_wise.norm;
  LayerPart part, projection;
  part.forward.add(element_wise(context, "further embedding", stream * embedding_passes));
  part.forward.add(element_wise(context, "further norms", stream * (norms * norm.forward), norms));
  part.backward.add(element_wise(context, "further norms", stream * (norms * norm.backward), norms));
  part.backward.add(element_wise(context, "further embedding", stream * embedding_passes));
  add_linear(projection, context, "further projection", {context.tokens, hidden / tensor, 2 * hidden});
  part.append(projection);
  return part;
}

}  // namespace paceline
