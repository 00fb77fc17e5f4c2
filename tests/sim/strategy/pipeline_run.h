// Runs a pipeline schedule by lists: a stage takes its next task when it is free and the input has come;
// sends take no time and wait for nobody.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/strategy/pipeline.h"

namespace paceline {

// Of one micro-batch on one whole stage.
struct StageTimes {
  double forward = 1, input = 1, weight = 1;
  [[nodiscard]] double all() const { return forward + input + weight; }
};

class PipelineRun {
 public:
  PipelineRun(const PipelineShape& shape, const StageTimes& times)
      : shape_(shape),
        times_(times),
        stages_(tasks_of_stages(shape)),
        next_(stages_.size()),
        spans_(stages_.size()) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t stage = 0; stage < stages_.size(); ++stage)
        while (step(stage)) moved = true;
    }
  }

  [[nodiscard]] bool ended() const {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (next_[stage] < stages_[stage].size()) return false;
    return true;
  }
  // Of the stage that takes longest from its first task to its last, beyond its work.
  [[nodiscard]] double bubble() const {
    double longest = 0;
    for (const auto& [start, end] : spans_) longest = std::max(longest, end - start);
    return longest - shape_.micro_batches * times_.all();
  }
  [[nodiscard]] double makespan() const {
    double last = 0;
    for (const auto& [start, end] : spans_) last = std::max(last, end);
    return last;
  }

 private:
  enum Done : std::size_t { forward, input };

  // A chunk is a part of a stage; DualPipe's are whole stages.
  [[nodiscard]] double duration(StageWork work) const {
    const double chunk = static_cast<double>(places_in_model(shape_)) / shape_.stages;
    switch (work) {
      case StageWork::forward:
        return times_.forward / chunk;
      case StageWork::backward:
        return (times_.input + times_.weight) / chunk;
      case StageWork::backward_input:
        return times_.input / chunk;
      default:
        return times_.weight / chunk;
    }
  }

  [[nodiscard]] std::optional<double> end_of(Done what, int place, int micro_batch) const {
    const auto found = ends_.at(what).find({place, micro_batch});
    return found == ends_.at(what).end() ? std::nullopt : std::optional(found->second);
  }

  // When the input is there.
  [[nodiscard]] std::optional<double> ready(const StageTask& task, int place) const {
    if (task.work == StageWork::forward) return place == 0 ? 0 : end_of(forward, place - 1, task.micro_batch);
    if (task.work == StageWork::backward_weight) return end_of(input, place, task.micro_batch);
    const auto own = end_of(forward, place, task.micro_batch);
    if (!own || place + 1 == places_in_model(shape_)) return own;
    const auto gradient = end_of(input, place + 1, task.micro_batch);
    return gradient ? std::optional(std::max(*own, *gradient)) : std::nullopt;
  }

  // Tasks that run as one from the next on: DualPipe's forward beside a backward of the other chunk.
  [[nodiscard]] std::size_t beside(std::size_t stage) const {
    const auto& tasks = stages_[stage];
    const std::size_t second = next_[stage] + 1;
    const bool pair = shape_.schedule == PipelineSchedule::dual_pipe && second < tasks.size() &&
                      tasks[second - 1].work == StageWork::forward &&
                      tasks[second].work == StageWork::backward &&
                      tasks[second - 1].chunk != tasks[second].chunk;
    return pair ? 2 : 1;
  }

  bool step(std::size_t stage) {
    if (next_[stage] == stages_[stage].size()) return false;
    const auto first = stages_[stage].begin() + static_cast<std::ptrdiff_t>(next_[stage]);
    const auto last = first + static_cast<std::ptrdiff_t>(beside(stage));
    const auto place = [&](const StageTask& task) {
      return place_in_model(shape_, static_cast<int>(stage), task.chunk);
    };
    double start = spans_[stage].second, length = 0;
    for (auto task = first; task != last; ++task) {
      const auto ready_at = ready(*task, place(*task));
      if (!ready_at) return false;
      start = std::max(start, *ready_at);
      length += duration(task->work);
    }
    if (next_[stage] == 0) spans_[stage].first = start;
    spans_[stage].second = start + length;
    for (auto task = first; task != last; ++task)
      if (task->work != StageWork::backward_weight)
        ends_.at(task->work == StageWork::forward ? forward : input)[{place(*task), task->micro_batch}] =
            start + length;
    next_[stage] += static_cast<std::size_t>(last - first);
    return true;
  }

  PipelineShape shape_;
  StageTimes times_;
  std::vector<std::vector<StageTask>> stages_;
  std::vector<std::size_t> next_;
  std::vector<std::pair<double, double>> spans_;
  std::array<std::map<std::pair<int, int>, double>, 2> ends_;
};

}  // namespace paceline
