#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {
namespace {

using Json = nlohmann::ordered_json;

std::string text(Seconds time) { return fmt::format("{:.4g}us", time.value() * 1e6); }
std::string text(BytesPerSecond rate) { return fmt::format("{:.5g}TB/s", rate.value() / 1e12); }
std::string text(FlopsPerSecond rate) { return fmt::format("{:.5g}TFLOP/s", rate.value() / 1e12); }
std::string text(Bytes bytes) { return fmt::format("{:.5g}MB", bytes.value() / 1e6); }
double figure(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json json_of(const ModelError& error) {
  return {{"median", figure(error.median)}, {"p90", figure(error.p90)}};
}

Json json_of(const GemmRates& rates) {
  Json json{{"start", text(rates.start)},
            {"rate", text(rates.rate)},
            {"memory", text(rates.memory)},
            {"l2", text(rates.l2)},
            {"k_step", text(rates.k_step)},
            {"split", text(rates.split)},
            {"epilogue", text(rates.epilogue)},
            {"hidden_waves", figure(rates.hidden_waves)},
            {"l2_capacity", text(rates.l2_capacity)},
            {"resident", text(rates.resident)}};
  if (rates.quantise_start > Seconds(0)) {
    json["quantise_start"] = text(rates.quantise_start);
    json["quantise_traffic"] = figure(rates.quantise_traffic);
  }
  json["error"] = json_of(rates.error);
  json["corrected_error"] = json_of(rates.corrected_error);
  json["correction_percent"] = Json::array();
  for (const auto& row : rates.correction.percent()) {
    Json cells = Json::array();
    for (const double cell : row) cells.push_back(std::llround(cell));
    json["correction_percent"].push_back(std::move(cells));
  }
  return json;
}

Json json_of(const AttentionRates& rates) {
  Json json;
  for (const auto& [head, rate] : rates.rate) json["rate"][fmt::format("{:.0f}", head)] = text(rate);
  json["start"] = text(rates.start);
  json["floor"] = text(rates.floor);
  json["memory"] = text(rates.memory);
  json["row"] = text(rates.row);
  json["longest"] = figure(rates.longest);
  json["longest_tail"] = figure(rates.longest_tail);
  json["k_block"] = text(rates.k_block);
  json["error"] = json_of(rates.error);
  return json;
}

Json json_of(const TrainingAttentionRates& rates) {
  Json json{{"forward", text(rates.forward)},
            {"backward_rate", figure(rates.backward_rate)},
            {"longest", figure(rates.longest)}};
  if (rates.latent_forward > FlopsPerSecond(0)) {
    json["latent_forward"] = text(rates.latent_forward);
    json["latent_backward_rate"] = figure(rates.latent_backward_rate);
  }
  json["forward_start"] = text(rates.forward_start);
  json["backward_start"] = text(rates.backward_start);
  for (const auto& [head, share] : rates.by_head)
    json["by_head"][fmt::format("{:.0f}", head)] = figure(share);
  if (rates.clock < 1) json["clock"] = figure(rates.clock);
  json["error"] = json_of(rates.error);
  json["source"] = rates.source;
  return json;
}

Json json_of(const ExpertRates& rates) {
  return {{"start", text(rates.start)},
          {"rate", text(rates.rate)},
          {"memory", text(rates.memory)},
          {"l2", text(rates.l2)},
          {"permute_traffic", figure(rates.permute_traffic)},
          {"k_step", text(rates.k_step)},
          {"skew_1.01", figure(rates.skew_1_01)},
          {"skew_1.2", figure(rates.skew_1_2)},
          {"active_share", figure(rates.active_share)},
          {"prologue", figure(rates.prologue)},
          {"error", json_of(rates.error)}};
}

}  // namespace

std::string to_json(const KernelRates& rates) {
  Json json{{"format", "paceline/kernel-rates-1"},
            {"name", rates.name},
            {"title", "Kernels of " + rates.device},
            {"device", rates.device},
            {"aliases", rates.aliases},
            {"library", rates.library},
            {"multiprocessors", rates.multiprocessors},
            {"l2_cache", text(rates.l2_cache)},
            {"gemm", Json::object()}};
  for (std::size_t format = 0; format < number_format_count; ++format)
    if (const auto& gemm = rates.gemm[format]) json["gemm"][number_format_names()[format]] = json_of(*gemm);
  if (rates.attention) json["attention"] = json_of(*rates.attention);
  if (rates.latent_attention) json["latent_attention"] = json_of(*rates.latent_attention);
  if (rates.experts) json["experts"] = json_of(*rates.experts);
  for (const auto& [library, training] : rates.training_attention)
    json["training_attention"][library] = json_of(training);
  if (rates.sustained_clock)
    json["sustained_clock"] = {{"value", rates.sustained_clock->value},
                               {"uncertainty", rates.sustained_clock->uncertainty},
                               {"source", rates.sustained_clock->source}};
  if (!rates.alignment.source.empty())
    json["alignment"] = {{"below_128_bytes", rates.alignment.below_128},
                         {"below_16_bytes", rates.alignment.below_16},
                         {"source", rates.alignment.source}};
  if (!rates.loaded_collectives.source.empty())
    json["loaded_collectives"] = {{"factor", rates.loaded_collectives.factor},
                                  {"source", rates.loaded_collectives.source}};
  json["source"] = rates.source;
  json["protocol"] = rates.protocol;
  return json.dump(1) + "\n";
}

}  // namespace paceline
