#include "sim/cost/kernel_library.h"

#include "base/json_reader.h"

namespace paceline {
namespace {

// One figure a precision; bf16 runs on the units of fp16.
std::array<double, precision_count> by_precision(const JsonValue& value, double maximum) {
  JsonObject object = value.object();
  const double fp16 = object.required("fp16").number(0.001, maximum);
  const std::array<double, precision_count> figures{object.required("fp32").number(0.001, maximum),
                                                    object.required("tf32").number(0.001, maximum), fp16,
                                                    fp16};
  object.finish();
  return figures;
}

}  // namespace

KernelLibrary read_kernel_library(const std::string& file) {
  JsonObject object = JsonValue::parse_file(file).object();
  object.expect_format("paceline/kernel-library-1");
  for (const char* text : {"name", "title", "source"}) static_cast<void>(object.required(text).string());
  KernelLibrary library;
  library.winograd_factor = object.required("winograd_factor").number(1, 4);
  library.grouped_efficiency = by_precision(object.required("grouped_efficiency"), 1);
  library.attention_efficiency = by_precision(object.required("attention_efficiency"), 1);
  library.depthwise_traffic = by_precision(object.required("depthwise_traffic"), 100);
  library.layout_transpose = object.required("layout_transpose").number(0, 2);
  library.kernel_overhead = object.required("kernel_overhead").quantity<Seconds>();
  library.backward_overhead = object.required("backward_overhead").quantity<Seconds>();
  library.time_spread = object.required("time_spread").number(0, 1);
  library.node_spread = object.required("node_spread").number(1, 2);
  library.fused_swish = object.required("fused_swish").number(0, 1);
  library.fused_add = object.required("fused_add").number(0, 1);
  object.finish();
  return library;
}

}  // namespace paceline
