// DualPipe (DeepSeek-V3, arXiv 2412.19437, section 3.2.1; deepseek-ai/DualPipe 89f5de17): micro-batches enter
// at both ends, and each stage works for two places of the model.
#include <algorithm>
#include <array>
#include <utility>

#include "sim/strategy/pipeline_orders.h"

namespace paceline {
namespace {

// "Near" micro-batches come from the end of the pipeline that the stage is nearer to, "far" ones from the
// other.
class DualOrder {
 public:
  DualOrder(const PipelineShape& shape, int stage)
      : half_(shape.stages / 2),
        from_end_(std::min(stage, shape.stages - 1 - stage)),
        each_way_(shape.micro_batches / 2),
        near_(stage < half_ ? 0 : 1),
        far_(1 - near_) {}

  StageOrder run() && {
    warm_up();
    for (int each = 0; each < each_way_ - 2 * half_ + from_end_ + 1; ++each) {
      forward(near_);
      backward(far_);
      forward(far_);
      backward(near_);
    }
    cool_down();
    return std::move(order_);
  }

 private:
  [[nodiscard]] int to_middle() const { return half_ - from_end_ - 1; }

  void warm_up() {
    for (int each = 0; each < 2 * to_middle(); ++each) forward(near_);
    for (int each = 0; each <= from_end_; ++each) {
      forward(near_);
      forward(far_);
    }
    for (int each = 0; each < to_middle(); ++each) {
      backward_input(far_);
      backward_weight();
      forward(far_);
    }
  }

  void cool_down() {
    for (int each = 0; each < to_middle(); ++each) {
      backward(far_);
      forward(far_);
      backward(near_);
    }
    // From the middle of these on, weights wait, so that the stages before get their input sooner.
    const int turn = (from_end_ + 1) / 2;
    for (int each = 0; each <= from_end_; ++each) {
      const bool odd = from_end_ % 2 == 1;
      add_backward(far_, each > turn || (each == turn && odd));
      add_backward(near_, each >= turn);
    }
    for (int each = 0; each < to_middle(); ++each) {
      backward_weight();
      backward_input(near_);
    }
    while (weights_ < late_.size()) backward_weight();
  }

  void forward(int chunk) { add(StageWork::forward, forwards_, chunk); }
  void backward(int chunk) { add(StageWork::backward, backwards_, chunk); }
  void add_backward(int chunk, bool late_weights) {
    if (late_weights)
      backward_input(chunk);
    else
      backward(chunk);
  }
  void backward_input(int chunk) {
    add(StageWork::backward_input, backwards_, chunk);
    late_.push_back(order_.back());
  }
  void backward_weight() {
    StageTask task = late_[weights_++];
    task.work = StageWork::backward_weight;
    order_.push_back(task);
  }
  void add(StageWork work, std::array<int, 2>& next, int chunk) {
    const int count = next.at(static_cast<std::size_t>(chunk))++;
    order_.push_back({work, chunk * each_way_ + count, chunk});
  }

  int half_, from_end_, each_way_, near_, far_;
  std::array<int, 2> forwards_{}, backwards_{};
  StageOrder late_;  // of which only the half of the input is done, from weights_ on
  std::size_t weights_ = 0;
  StageOrder order_;
};

}  // namespace

StageOrder dual_pipe_order(const PipelineShape& shape, int stage) { return DualOrder(shape, stage).run(); }

}  // namespace paceline
