#include "sim/cost/kernel/kernel_rates.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_reader.h"
#include "sim/cost/kernel/kernel_rates_fields.h"

namespace paceline {
namespace {

CorrectionGrid grid(const JsonValue& value) {
  CorrectionGrid::Percent percent{};
  const auto rows = value.array();
  if (rows.size() != percent.size()) value.fail("5 rows, one a node of m");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto cells = rows[row].array();
    if (cells.size() != percent[row].size()) rows[row].fail("16 numbers: 4 nodes of n times 4 of k");
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      percent[row][cell] = cells[cell].number(-100, 100);
  }
  return CorrectionGrid(percent);
}

GemmRates gemm_rates(const JsonValue& value) {
  JsonObject object = value.object();
  GemmRates rates;
  rates.start = positive<Seconds>(object, "start");
  rates.rate = positive<FlopsPerSecond>(object, "rate");
  rates.memory = positive<BytesPerSecond>(object, "memory");
  rates.l2 = positive<BytesPerSecond>(object, "l2");
  rates.k_step = positive<Seconds>(object, "k_step");
  rates.split = positive<Seconds>(object, "split");
  rates.epilogue = positive<BytesPerSecond>(object, "epilogue");
  rates.hidden_waves = object.required("hidden_waves").number(0, 1);
  rates.l2_capacity = positive<Bytes>(object, "l2_capacity");
  rates.resident = positive<BytesPerSecond>(object, "resident");
  if (const auto start = object.optional("quantise_start")) {
    rates.quantise_start = start->quantity<Seconds>();
    rates.quantise_traffic = object.required("quantise_traffic").number(0, 100);
  }
  rates.error = error_of(object.required("error"));
  const auto correction = object.optional("correction_percent");
  if (correction) rates.correction = grid(*correction);
  rates.corrected_error = correction ? error_of(object.required("corrected_error")) : rates.error;
  object.finish();
  return rates;
}

AttentionRates attention_rates(const JsonValue& value) {
  JsonObject object = value.object();
  AttentionRates rates;
  JsonObject heads = object.required("rate").object();
  for (const std::string& name : heads.all_names())
    rates.rate[head_size(heads, name)] = positive<FlopsPerSecond>(heads, name);
  if (rates.rate.empty()) heads.value().fail("a rate for at least one head size");
  rates.start = object.required("start").quantity<Seconds>();
  rates.floor = object.required("floor").quantity<Seconds>();
  rates.memory = positive<BytesPerSecond>(object, "memory");
  rates.row = object.required("row").quantity<Seconds>();
  rates.longest = object.required("longest").number(0, 10);
  rates.longest_tail = object.required("longest_tail").number(0, 10);
  rates.k_block = object.required("k_block").quantity<Seconds>();
  rates.error = error_of(object.required("error"));
  object.finish();
  return rates;
}

ExpertRates expert_rates(const JsonValue& value) {
  JsonObject object = value.object();
  ExpertRates rates;
  rates.start = positive<Seconds>(object, "start");
  rates.rate = positive<FlopsPerSecond>(object, "rate");
  rates.memory = positive<BytesPerSecond>(object, "memory");
  rates.l2 = positive<BytesPerSecond>(object, "l2");
  rates.permute_traffic = object.required("permute_traffic").number(0, 100);
  rates.k_step = object.required("k_step").quantity<Seconds>();
  rates.skew_1_01 = object.required("skew_1.01").number(0, 1);
  rates.skew_1_2 = object.required("skew_1.2").number(0, 1);
  rates.active_share = object.required("active_share").number(0.001, 10);
  rates.prologue = object.required("prologue").number(0, 1e5);
  rates.error = error_of(object.required("error"));
  object.finish();
  return rates;
}

SustainedClock sustained_clock(const JsonValue& value) {
  JsonObject object = value.object();
  const SustainedClock clock{object.required("value").number(0.1, 1),
                             object.required("uncertainty").number(0, 1), object.required("source").string()};
  object.finish();
  return clock;
}

AlignmentFactors alignment(const JsonValue& value) {
  JsonObject object = value.object();
  const AlignmentFactors factors{object.required("below_128_bytes").number(1, 100),
                                 object.required("below_16_bytes").number(1, 100),
                                 object.required("source").string()};
  object.finish();
  return factors;
}

LoadedCollectives loaded_collectives(const JsonValue& value) {
  JsonObject object = value.object();
  const LoadedCollectives factor{object.required("factor").number(1, 10), object.required("source").string()};
  object.finish();
  return factor;
}

KernelRates rates_of(JsonObject object) {
  object.expect_format("paceline/kernel-rates-1");
  KernelRates rates;
  rates.name = object.required("name").string();
  static_cast<void>(object.required("title").string());
  rates.device = object.required("device").string();
  if (const auto aliases = object.optional("aliases"))
    for (const JsonValue& alias : aliases->array()) rates.aliases.push_back(alias.string());
  rates.library = object.required("library").string();
  rates.source = object.required("source").string();
  rates.protocol = object.required("protocol").string();
  rates.multiprocessors = static_cast<int>(object.required("multiprocessors").integer(1, 100000));
  rates.l2_cache = positive<Bytes>(object, "l2_cache");
  JsonObject gemm = object.required("gemm").object();
  for (std::size_t format = 0; format < number_format_count; ++format)
    if (const auto entry = gemm.optional(number_format_names()[format]))
      rates.gemm[format] = gemm_rates(*entry);
  gemm.finish();
  if (const auto entry = object.optional("attention")) rates.attention = attention_rates(*entry);
  if (const auto entry = object.optional("latent_attention"))
    rates.latent_attention = attention_rates(*entry);
  if (const auto entry = object.optional("training_attention")) {
    JsonObject libraries = entry->object();
    for (const std::string& library : libraries.all_names())
      rates.training_attention[library] = training_rates(libraries.required(library));
  }
  if (const auto entry = object.optional("experts")) rates.experts = expert_rates(*entry);
  if (const auto entry = object.optional("sustained_clock")) rates.sustained_clock = sustained_clock(*entry);
  if (const auto entry = object.optional("alignment")) rates.alignment = alignment(*entry);
  if (const auto entry = object.optional("loaded_collectives"))
    rates.loaded_collectives = loaded_collectives(*entry);
  object.finish();
  return rates;
}

}  // namespace

KernelRates read_kernel_rates(const std::string& file) {
  return rates_of(JsonValue::parse_file(file).object());
}

std::vector<KernelRates> read_all_kernel_rates(const std::string& folder) {
  std::vector<KernelRates> list;
  for (const std::string& file :
       json_files(folder, "point --data or PACELINE_DATA to the scenarios folder")) {
    const JsonValue value = JsonValue::parse_file(file);
    JsonObject object = value.object();
    if (object.required("format").string().starts_with("paceline/kernel-rates"))
      list.push_back(rates_of(object));
  }
  return list;
}

double sustained_clock_of(const KernelRates& rates, const Device& device) {
  constexpr double unknown = 0.85;
  if (rates.sustained_clock) return rates.sustained_clock->value;
  return device.sustained_clock.value_or(unknown);
}

}  // namespace paceline
