#include "sim/strategy/fusion.h"

#include <algorithm>
#include <span>

namespace paceline {
namespace {

class BackgroundThread {
 public:
  BackgroundThread(const Model& model, const FusionRules& rules) : model_(model), rules_(rules) {}

  std::vector<FusedResponse> run(std::span<const GradientTime> pending) {
    std::vector<FusedResponse> responses;
    while (!pending.empty()) {
      start_cycle(pending.front().handed_over);
      while (!pending.empty() && pending.front().handed_over <= cycle_)
        pending = pending.subspan(take(pending, responses));
    }
    return responses;
  }

 private:
  // At once when tensors have come while the thread was busy, else half a cycle after the first on average.
  void start_cycle(Seconds handed_over) {
    const Seconds earliest = std::max(free_, cycle_ + rules_.cycle);
    cycle_ = started_ && handed_over <= earliest ? earliest : handed_over + rules_.cycle / 2;
    started_ = true;
  }

  // One response from the front of what is pending; returns how many tensors it holds.
  std::size_t take(std::span<const GradientTime> pending, std::vector<FusedResponse>& responses) {
    FusedResponse response;
    Seconds handed_over, computed;
    for (const GradientTime& each : pending) {
      const Bytes bytes(static_cast<double>(model_.parameters[each.parameter].elements) *
                        rules_.bytes_per_element);
      const bool full =
          !response.bucket.parameters.empty() && response.bucket.bytes + bytes > rules_.threshold;
      if (full || each.handed_over > cycle_) break;
      response.bucket.parameters.push_back(each.parameter);
      response.bucket.bytes += bytes;
      handed_over = each.handed_over;
      computed = each.computed;
    }
    response.wait = std::max(Seconds(0), cycle_ - std::max(free_, handed_over));
    free_ = std::max({free_, cycle_, computed});
    responses.push_back(response);
    return responses.back().bucket.parameters.size();
  }

  const Model& model_;
  FusionRules rules_;
  bool started_ = false;
  Seconds cycle_;  // start of the running cycle
  Seconds free_;   // when the thread has launched what it took
};

}  // namespace

std::vector<FusedResponse> fuse(const Model& model, const std::vector<GradientTime>& gradients,
                                const FusionRules& rules) {
  return BackgroundThread(model, rules).run(gradients);
}

}  // namespace paceline
