#include "sim/study/measured_operators.h"

#include <vector>

#include "base/json_reader.h"
#include "base/statistics.h"
#include "sim/cost/kernel/gemm_time.h"
#include "sim/study/published_fields.h"

namespace paceline {
namespace {

struct MeasuredProduct {
  GemmShape shape;
  Seconds time;
};

// Rows of other operators are left aside.
std::optional<MeasuredProduct> product_of(const JsonValue& value) {
  constexpr double largest = 1e9;
  JsonObject row = value.object();
  if (text_of(row, "op") != "matmul" || text_of(row, "out_dtype").find("fp8") != std::string::npos)
    return std::nullopt;
  MeasuredProduct product;
  product.shape.m = row.required("m").number(1, largest);
  product.shape.n = row.required("n").number(1, largest);
  product.shape.k = row.required("k").number(1, largest);
  product.shape.batch = number_of(row, "b").value_or(1);
  const bool adds = flag_of(row, "accumulate").value_or(false);
  const double element = text_of(row, "out_dtype") == "fp32" ? 4 : 2;
  product.shape.output = adds ? 2 * element : element;  // read and written
  product.time = Seconds(row.required("time_us").number(1e-3, largest) * 1e-6);
  return product;
}

}  // namespace

std::optional<double> sustained_clock_of(const Catalog& catalog, const std::string& device,
                                         const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  const JsonValue format = object.required("format");
  if (format.string() != "measured-ops-1") format.fail("\"measured-ops-1\"");
  const KernelRates* rates = catalog.kernel_rates.measured(device);
  if (!rates) return std::nullopt;
  const auto& gemm = rates->gemm[static_cast<std::size_t>(NumberFormat::bf16)];
  if (!gemm) return std::nullopt;
  std::vector<WeightedValue> shares;
  for (const JsonValue& value : object.required("ops").array()) {
    const auto product = product_of(value);
    if (!product) continue;
    const GemmTime burst = gemm_time(*gemm, rates->multiprocessors, product->shape);
    if (burst.limit != GemmLimit::tensor) continue;
    shares.push_back({burst.time / product->time, product->time.value()});
  }
  if (shares.empty()) return std::nullopt;
  // The table is of one device; a step waits for the slowest of a node.
  return weighted_quantile(shares, 0.5) / catalog.kernels.node_spread;
}

}  // namespace paceline
