#include "sim/cost/transformer/model_ends.h"

#include "sim/cost/transformer/further_prediction.h"
#include "sim/cost/transformer/rank_share.h"

namespace paceline {
namespace {

double kernel_count(const Pass& pass) {
  double count = 0;
  for (const PassStep& step : pass.steps) count += std::holds_alternative<Kernel>(step) ? 1 : 0;
  return count;
}

void set_host(LayerPart& part, const TransformerHost& host, bool graph) {
  const Seconds each = host.per_operator * (graph ? host.graph : 1);
  part.forward.host = each * kernel_count(part.forward);
  part.backward.host = each * kernel_count(part.backward);
}

class Ends {
 public:
  Ends(const TransformerRequest& request, const LayerContext& context)
      : request_(request), context_(context), layer_(request, context), rules_(context.rules.element_wise) {}

  [[nodiscard]] Unit embedding() const {
    const std::size_t end = request_.model.blocks.front().first_layer;
    LayerPart part;
    for (std::size_t index = 0; index < end; ++index) part.append(part_of(request_.model.layers[index]));
    return unit("embedding", UnitKind::embedding, part, 0, end);
  }

  [[nodiscard]] Unit head() const {
    const Model& model = request_.model;
    LayerPart part;
    Unit unit = this->unit("head", UnitKind::head, {}, 0, 0);
    RankParameters parameters;
    for (std::size_t block = 0; block < model.blocks.size(); ++block) {
      const std::size_t first = model.blocks[block].end_layer;
      const std::size_t end =
          block + 1 < model.blocks.size() ? model.blocks[block + 1].lead_layer : model.layers.size();
      for (std::size_t index = first; index < end; ++index) part.append(part_of(model.layers[index]));
      parameters.add(rank_parameters(model, first, end, context_.parallel.degrees));
      unit.kept += kept_bytes(request_, context_, layer_, first, end, nullptr);
    }
    finish(part);
    set_passes(unit, part);
    unit.dense_parameters = parameters.dense;
    return unit;
  }

 private:
  [[nodiscard]] double rows(double per_sample) const {
    return per_sample * context_.samples / context_.parallel.degrees.context;
  }
  [[nodiscard]] double hidden() const { return static_cast<double>(request_.model.blocks.front().hidden); }

  [[nodiscard]] LayerPart moved(const std::string& name, Bytes forward, Bytes backward) const {
    LayerPart part;
    part.forward.add(element_wise(context_, name, forward));
    part.backward.add(element_wise(context_, name + " gradient", backward));
    return part;
  }

  [[nodiscard]] LayerPart product_of(const Layer& layer, const Linear& work) const {
    const auto inputs = static_cast<double>(work.inputs), outputs = static_cast<double>(work.outputs);
    if (layer.split == Split::vocabulary)
      return layer_.column(
          "logits", {rows(work.rows),
                     padded_vocabulary(context_.rules, outputs, context_.parallel.degrees.tensor), inputs});
    LayerPart part;
    add_linear(part, context_, "head projection", {rows(work.rows), outputs, inputs});
    return part;
  }

  [[nodiscard]] LayerPart loss(const VocabularyLoss& work) const {
    const int tensor = context_.parallel.degrees.tensor;
    const double logits = rows(work.rows) *
                          padded_vocabulary(context_.rules, static_cast<double>(work.vocabulary), tensor) /
                          tensor;
    const Bytes half(logits * rules_.loss_bytes / 2);
    return moved("loss", half, half);
  }

  [[nodiscard]] LayerPart lookup() const {
    LayerPart part = layer_.stream("embedding", {rules_.embedding, rules_.embedding}, hidden());
    if (context_.parallel.degrees.tensor == 1) return part;
    const bool scattered = layer_.sequence_parallel();
    part.forward.add(layer_.exchange(scattered ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce,
                                     hidden(), context_.tokens));
    if (scattered)
      part.backward.steps.insert(part.backward.steps.begin(),
                                 layer_.exchange(CollectiveKind::all_gather, hidden(), context_.tokens));
    return part;
  }

  [[nodiscard]] LayerPart part_of(const Layer& layer) const {
    if (const auto* linear = std::get_if<Linear>(&layer.work)) return product_of(layer, *linear);
    if (const auto* work = std::get_if<VocabularyLoss>(&layer.work)) return loss(*work);
    const auto* traffic = std::get_if<Traffic>(&layer.work);
    if (!traffic) return {};
    switch (kind_of(layer)) {
      case LayerKind::embedding:
        return lookup();
      case LayerKind::norm: {
        const Bytes once(rows(layer.saved_elements) * context_.element);
        return moved("norm", once * rules_.norm.forward, once * rules_.norm.backward);
      }
      default:
        return moved(traffic->what, Bytes(rows(traffic->forward_elements) * context_.element),
                     Bytes(rows(traffic->backward_elements) * context_.element));
    }
  }

  void finish(LayerPart& part) const {
    set_host(part, context_.rules.host, context_.parallel.graph_scope == GraphScope::full);
  }

  [[nodiscard]] Unit unit(const std::string& name, UnitKind kind, LayerPart part, std::size_t first,
                          std::size_t end) const {
    finish(part);
    Unit unit;
    unit.name = name;
    unit.kind = kind;
    set_passes(unit, part);
    const RankParameters parameters = rank_parameters(request_.model, first, end, context_.parallel.degrees);
    unit.dense_parameters = parameters.dense;
    unit.kept = kept_bytes(request_, context_, layer_, first, end, nullptr);
    return unit;
  }

  const TransformerRequest& request_;
  const LayerContext& context_;
  DenseLayer layer_;
  const ElementWiseRules& rules_;
};

}  // namespace

void set_passes(Unit& unit, const LayerPart& part) {
  unit.forward = part.forward;
  unit.recompute = part.recompute;
  unit.backward = part.backward;
  const Seconds backward = kernel_time(part.backward);
  unit.weight_backward = backward > Seconds(0) ? part.weight_gradients / backward : 0;
}

Unit embedding_unit(const TransformerRequest& request, const LayerContext& context) {
  return Ends(request, context).embedding();
}

Unit head_unit(const TransformerRequest& request, const LayerContext& context) {
  return Ends(request, context).head();
}

}  // namespace paceline
