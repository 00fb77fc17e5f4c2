#include "sim/study/split_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace paceline {
namespace {

template <class Take>
void each_group(const SplitResult& split, Take take) {
  for (std::size_t group = 0; group < group_kind_count; ++group)
    take(std::string(to_string(static_cast<GroupKind>(group))), group, split.group_sizes[group]);
}

std::string line(const std::string& what, const std::string& value) {
  return fmt::format("{:<22} {}\n", what, value);
}

std::string share(Seconds part, Seconds step) {
  return fmt::format("{} ({:.1f} %)", to_string(part), part / step * 100);
}

}  // namespace

std::string split_text(const Prediction& prediction) {
  if (!prediction.split) return "";
  const SplitResult& split = *prediction.split;
  const SplitBreakdown& parts = split.breakdown;
  std::string text = fmt::format("of a rank of stage {}\n", parts.stage);
  text += line("  compute", share(parts.compute, prediction.step));
  if (parts.recompute > Seconds(0))
    text += line("    recomputation", share(parts.recompute, prediction.step));
  each_group(split, [&](const std::string& name, std::size_t group, int size) {
    if (parts.exposed[group] > Seconds(0))
      text += line("  exposed, " + name,
                   fmt::format("{}, group of {}", share(parts.exposed[group], prediction.step), size));
  });
  if (parts.host > Seconds(0)) text += line("  host", share(parts.host, prediction.step));
  if (parts.bubble > Seconds(0)) text += line("  bubble", share(parts.bubble, prediction.step));
  text += line("  optimizer", share(parts.optimizer, prediction.step));
  each_group(split, [&](const std::string& name, std::size_t group, int) {
    if (split.sent[group] > Bytes(0)) text += line("sent, " + name, to_string(split.sent[group]));
  });
  text +=
      line("MFU, HFU", fmt::format("{:.1f} %, {:.1f} %: work of the model (causal attention by half), with "
                                   "what is recomputed / (devices x peak x step)",
                                   split.mfu * 100, split.hfu * 100));
  return text;
}

nlohmann::ordered_json split_json(const SplitResult& split) {
  const SplitBreakdown& parts = split.breakdown;
  nlohmann::ordered_json json{{"stage", parts.stage},
                              {"compute", parts.compute.value()},
                              {"recompute", parts.recompute.value()},
                              {"host", parts.host.value()},
                              {"bubble", parts.bubble.value()},
                              {"optimizer", parts.optimizer.value()}};
  each_group(split, [&](const std::string& name, std::size_t group, int size) {
    json["groups"][name] = {
        {"size", size}, {"exposed", parts.exposed[group].value()}, {"sent", split.sent[group].value()}};
  });
  json["model_flops"] = split.model_work.value();
  json["hardware_flops"] = split.hardware_work.value();
  json["mfu"] = split.mfu;
  json["hfu"] = split.hfu;
  return json;
}

}  // namespace paceline
