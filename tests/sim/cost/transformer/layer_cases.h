// Layers whose parts were worked out on their own (reference figures of published configurations), and the
// means to time one.
#pragma once

#include <string>

#include "sim/cost/transformer/transformer_work.h"
#include "sim/study/catalog.h"

namespace paceline::test {

struct LayerCase {
  std::string name, framework, device;
  // Sizes; key_heads 0: as heads, and no gate.
  std::int64_t hidden = 0, heads = 0, key_heads = 0, feed_forward = 0, sequence = 0;
  double micro_batch = 1;
  int tensor = 1, context = 1;
  Precision precision = Precision::bf16;
  Fp8Recipe fp8 = Fp8Recipe::none;
  double clock = 0;  // 0: the device's
  // ms of one layer, forward and backward: products with casts, attention, element-wise.
  double products[2]{}, attention[2]{}, element_wise[2]{};
  std::int64_t vocabulary = 51200;
};

// Llama 3 8B in torchtitan on an H100 of 500 W, two sequences of 8,192 tokens; a base for others.
[[nodiscard]] LayerCase llama_case();

struct PartTimes {
  double products = 0, attention = 0, element_wise = 0, exchanges = 0;  // ms; exchanges: their number
};
[[nodiscard]] PartTimes parts_of(const Pass& pass);

// Owns what a request refers to.
class LayerBench {
 public:
  explicit LayerBench(const LayerCase& which);
  Strategy strategy;
  Framework framework;
  Model model;
  Device device;
  KernelRates rates;
  Precision precision;
  double micro_batch;

  [[nodiscard]] TransformerWork work() const;
  [[nodiscard]] Seconds optimizer(double parameters, double held) const;
  [[nodiscard]] Seconds streaming(Bytes bytes) const;
  // The unit of all equal layers.
  [[nodiscard]] Unit layer() const { return work().units.at(1); }

 private:
  template <class Ask>
  auto ask(const Ask& question) const;
};

}  // namespace paceline::test
