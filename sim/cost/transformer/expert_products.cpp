#include "sim/cost/transformer/expert_products.h"

#include <utility>

#include "sim/cost/transformer/token_dispatch.h"

namespace paceline {
namespace {

constexpr double matrices_up = 2;   // gate and up projection in one product
constexpr double cast_kernels = 2;  // one before each of the two products

// Sizes of the experts' side of one rank.
class ExpertSide {
 public:
  ExpertSide(const LayerContext& context, const Block& block)
      : context_(context),
        rules_(context.rules.experts),
        load_(expert_load(context, *block.experts)),
        hidden_(static_cast<double>(block.hidden)),
        width_(static_cast<double>(block.experts->feed_forward)),
        biased_(block.experts->bias),
        grouped_(grouped_experts(context)) {}

  void add_products(LayerPart& part) const {
    const double rows = load_.copies / load_.rank_experts;
    part.forward.add(product_of("experts up", {rows, matrices_up * width_, hidden_}));
    part.forward.add(activation(Direction::forward));
    part.forward.add(product_of("experts down", {rows, hidden_, width_}));
    part.backward.add(product_of("experts down input gradient", {rows, width_, hidden_}));
    add_weight_gradient(part, "experts down weight gradient", {hidden_, width_, rows});
    part.backward.add(activation(Direction::backward));
    part.backward.add(product_of("experts up input gradient", {rows, hidden_, matrices_up * width_}));
    add_weight_gradient(part, "experts up weight gradient", {matrices_up * width_, hidden_, rows});
  }

  void add_casts(LayerPart& part) const {
    if (!context_.products_in_8_bit) return;
    const double in = load_.copies * (hidden_ + width_);
    const double gradients = load_.copies * (hidden_ + matrices_up * width_);
    const double scales = context_.parallel.fp8 == Fp8Recipe::tensor ? rules_.tensor_scaling : 1;
    const double factor = grouped_ ? rules_.casts_grouped : rules_.one_by_one;
    part.forward.add(
        memory_bound("experts casts", scales * input_cast_bytes(context_) * in, cast_kernels, factor));
    part.backward.add(memory_bound("experts gradient casts",
                                   scales * gradient_cast_bytes(context_) * gradients, cast_kernels, factor));
  }

  // The activation alone once more, from the kept output of the first product.
  [[nodiscard]] Kernel recomputed_activation() const {
    return memory_bound("experts activation", rules_.activation.forward * activation_bytes(), 1, 1);
  }

 private:
  [[nodiscard]] double activation_bytes() const { return load_.copies * width_ * context_.element; }

  [[nodiscard]] Kernel memory_bound(std::string name, double bytes, double kernels, double factor) const {
    Kernel kernel;
    kernel.name = std::move(name);
    kernel.traffic = Bytes(bytes);
    kernel.time = (kernel.traffic / context_.products.memory * rules_.element_wise +
                   context_.rules.element_wise.kernel * kernels) *
                  factor;
    return kernel;
  }

  [[nodiscard]] Kernel activation(Direction direction) const {
    const auto of = [direction](const Passes& passes) {
      return direction == Direction::forward ? passes.forward : passes.backward;
    };
    const double factor = grouped_ ? of(rules_.activation_grouped) : rules_.one_by_one;
    Kernel kernel = memory_bound("experts activation", of(rules_.activation) * activation_bytes(), 1, factor);
    if (biased_) {
      const double elements =
          load_.copies * (of(rules_.bias_hidden) * hidden_ + of(rules_.bias_feed_forward) * width_);
      const Kernel extra = memory_bound("", elements * context_.element, rules_.bias_kernels, factor);
      kernel.time += extra.time * rules_.bias;
      kernel.traffic += extra.traffic;
    }
    return kernel;
  }

  // All experts of the rank.
  [[nodiscard]] Kernel product_of(std::string name, GemmShape each) const {
    GemmShape all = each;
    all.batch = load_.rank_experts;
    Kernel kernel = product(context_, std::move(name), grouped_ ? all : each, true);
    const double launches = grouped_ ? 1 : load_.rank_experts;
    kernel.time *= launches * rules_.product;
    kernel.work *= launches;
    kernel.traffic *= launches;
    return kernel;
  }

  void add_weight_gradient(LayerPart& part, std::string name, GemmShape each) const {
    each.output = weight_gradient_bytes(context_);
    Kernel kernel = product_of(std::move(name), each);
    part.weight_gradients += kernel.time;
    part.backward.add(std::move(kernel));
  }

  const LayerContext& context_;
  const ExpertRules& rules_;
  ExpertLoad load_;
  double hidden_, width_;
  bool biased_, grouped_;
};

}  // namespace

LayerPart expert_products(const LayerContext& context, const Block& block) {
  const ExpertSide side(context, block);
  LayerPart part;
  side.add_casts(part);
  side.add_products(part);
  if (recomputes(context, "moe_act")) part.recompute.add(side.recomputed_activation());
  return part;
}

}  // namespace paceline
