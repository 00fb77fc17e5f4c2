// Zero bubble schedules (Qi et al., arXiv 2401.10241): backward in two halves, of which only the gradient of
// the input is waited for by another stage.
#include <algorithm>
#include <array>

#include "sim/strategy/pipeline_orders.h"

namespace paceline {
namespace {

// Hands out the micro-batches of each kind of work in turn; those beyond the last are left out, so that few
// micro-batches run in the order of many.
class OrderWriter {
 public:
  explicit OrderWriter(int micro_batches) : micro_batches_(micro_batches) {}

  void add(StageWork work, int chunk) {
    const int micro_batch = next_.at(static_cast<std::size_t>(chunk)).at(static_cast<std::size_t>(work))++;
    if (micro_batch < micro_batches_) order_.push_back({work, micro_batch, chunk});
  }
  void add_both_halves(int chunk) {
    add(StageWork::backward_input, chunk);
    add(StageWork::backward_weight, chunk);
  }
  [[nodiscard]] int given(StageWork work, int chunk) const {
    return next_.at(static_cast<std::size_t>(chunk)).at(static_cast<std::size_t>(work));
  }
  [[nodiscard]] const StageOrder& order() const { return order_; }

 private:
  int micro_batches_;
  std::array<std::array<int, 4>, 2> next_{};  // by chunk and work
  StageOrder order_;
};

constexpr auto forward = StageWork::forward, input = StageWork::backward_input,
               weight = StageWork::backward_weight;

// Stage s holds 2 stages - 1 forwards, then each further one makes room for itself.
void warm_up_v(OrderWriter& writer, int stages, int stage) {
  for (int each = 0; each < 2 * (stages - stage) - 1; ++each) writer.add(forward, 0);
  for (int each = 0; each < stage; ++each) {
    writer.add(forward, 1);
    writer.add(forward, 0);
  }
  for (int each = 0; each < stages - stage; ++each) {
    writer.add(forward, 1);
    writer.add_both_halves(1);
  }
}

// Gradients of the input that other stages wait for come first, those of weights fill the gaps.
void cool_down_v(OrderWriter& writer, int stages, int stage) {
  for (int each = 0; each < stage; ++each) {
    writer.add(input, 0);
    writer.add(input, 1);
  }
  for (int each = 0; each < stages - stage; ++each) {
    writer.add(input, 0);
    writer.add(weight, 0);
  }
  for (const int chunk : {1, 0})
    while (writer.given(weight, chunk) < writer.given(input, chunk)) writer.add(weight, chunk);
}

}  // namespace

// 1F1B with the weights' half of stage s late by s micro-batches: each stage holds as many micro-batches as
// the first.
StageOrder zero_bubble_h1_order(const PipelineShape& shape, int stage) {
  const int warm_up = std::min(shape.micro_batches, shape.stages - 1 - stage);
  OrderWriter writer(shape.micro_batches);
  for (int each = 0; each < warm_up; ++each) writer.add(forward, 0);
  for (int each = 0; each < shape.micro_batches; ++each) {
    writer.add(forward, 0);
    writer.add(input, 0);
    if (each >= stage) writer.add(weight, 0);
  }
  while (writer.given(weight, 0) < shape.micro_batches) writer.add(weight, 0);
  return writer.order();
}

// As figure 5 of the paper, for equal times of forward and the halves of backward.
StageOrder zero_bubble_v_order(const PipelineShape& shape, int stage) {
  const int stages = shape.stages, enough = std::max(shape.micro_batches, 2 * stages - 1);
  OrderWriter writer(shape.micro_batches);
  warm_up_v(writer, stages, stage);
  while (writer.given(forward, 1) < writer.given(forward, 0) || writer.given(forward, 0) < enough) {
    if (writer.given(forward, 0) < enough) writer.add(forward, 0);
    writer.add_both_halves(0);
    writer.add(forward, 1);
    writer.add_both_halves(1);
  }
  cool_down_v(writer, stages, stage);
  return writer.order();
}

}  // namespace paceline
