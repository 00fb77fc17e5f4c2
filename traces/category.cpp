#include "traces/category.h"

#include <algorithm>
#include <array>
#include <string>

namespace paceline {
namespace {

constexpr std::array<std::string_view, 14> communication_names = {"nccl",
                                                                  "rccl",
                                                                  "deep_ep",
                                                                  "dpsk::ep::",
                                                                  "nvshmem",
                                                                  "mscclpp",
                                                                  "cross_device_reduce",
                                                                  "one_shot_all",
                                                                  "two_shot_all",
                                                                  "multimem_all",
                                                                  "multimem_one_shot",
                                                                  "allreduce_fusion",
                                                                  "quick_reduce",
                                                                  "quickreduce"};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char letter) { return lower(letter); });
  return result;
}

struct CategoryRule {
  std::string_view category;
  Family family;
  bool on_device;
};

// Lower case. Several words for one family: generations of the profiler and vendors.
constexpr std::array<CategoryRule, 22> rules = {{
    {"kernel", Family::kernel, true},
    {"gpu_memcpy", Family::copy, true},
    {"memcpy", Family::copy, true},
    {"gpu_memset", Family::set, true},
    {"memset", Family::set, true},
    {"gpu_user_annotation", Family::annotation, true},
    {"cuda_sync", Family::sync, true},
    {"cuda_profiler_range", Family::other, true},
    {"mtia_ccp_events", Family::other, true},
    {"cpu_op", Family::host, false},
    {"operator", Family::host, false},
    {"python_function", Family::host, false},
    {"user_annotation", Family::annotation, false},
    {"cuda_runtime", Family::runtime, false},
    {"cuda_driver", Family::runtime, false},
    {"runtime", Family::runtime, false},
    {"driver", Family::runtime, false},
    {"mtia_runtime", Family::runtime, false},
    {"hip_runtime", Family::runtime, false},
    {"xpu_runtime", Family::runtime, false},
    {"xpu_driver", Family::runtime, false},
    {"privateuse1_runtime", Family::runtime, false},
}};

const CategoryRule* rule_of(std::string_view category) {
  const std::string wanted = lower(category);
  const auto* found = std::find_if(rules.begin(), rules.end(),
                                   [&](const CategoryRule& rule) { return rule.category == wanted; });
  return found == rules.end() ? nullptr : found;
}

bool may_be_step(const CategoryRule& rule) {
  return rule.category == "user_annotation" || rule.category == "operator" || rule.category == "cpu_op";
}

}  // namespace

bool is_communication_kernel(std::string_view name) {
  const std::string wanted = lower(name);
  return std::any_of(communication_names.begin(), communication_names.end(),
                     [&](std::string_view word) { return wanted.find(word) != std::string::npos; });
}

Family family_of(std::string_view category, std::string_view name) {
  const CategoryRule* rule = rule_of(category);
  if (rule == nullptr) return Family::other;
  if (rule->family == Family::kernel && is_communication_kernel(name)) return Family::communication;
  if (may_be_step(*rule) && name.starts_with("ProfilerStep")) return Family::step;
  return rule->family;
}

bool is_device_category(std::string_view category) {
  const CategoryRule* rule = rule_of(category);
  return rule != nullptr && rule->on_device;
}

std::string_view category_of(Family family, TrackKind kind) {
  switch (family) {
    case Family::kernel:
    case Family::communication:
      return "kernel";
    case Family::copy:
      return "gpu_memcpy";
    case Family::set:
      return "gpu_memset";
    case Family::host:
      return "cpu_op";
    case Family::runtime:
      return "cuda_runtime";
    case Family::step:
      return "user_annotation";
    case Family::annotation:
      return kind == TrackKind::device_stream ? "gpu_user_annotation" : "user_annotation";
    case Family::sync:
      return "cuda_sync";
    case Family::other:
      return "other";
  }
  return "other";
}

}  // namespace paceline
