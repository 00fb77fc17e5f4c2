// Tables of measured kernel times: CSV with a header line, plain or gzip.
//
// Columns are known by name: dtype and us in every table; m, n, k for matrix products; batch, seq, heads,
// kv_heads, head_dim for attention (without head_dim: latent attention, 192 and 128); tokens, hidden,
// expert_ffn, top_k, experts, tp, ep, balance for layers of experts. Optional: device (else the file's name
// up to the first
// "-"), operator (else by the columns), cold (1: operands come from memory), accumulate (1: added to fp32),
// gated (0: experts of two matrices). Lines that begin with # are comments. Times are microseconds.
#pragma once

#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/cost/kernel/attention_time.h"
#include "sim/cost/kernel/expert_time.h"
#include "sim/cost/kernel/gemm_time.h"
#include "sim/cost/kernel/kernel_rates.h"

namespace paceline {

enum class KernelOperator : std::uint8_t { gemm, attention, latent_attention, experts };
[[nodiscard]] std::string to_string(KernelOperator what);

struct KernelRow {
  std::string device;  // as the table says
  KernelOperator what = KernelOperator::gemm;
  NumberFormat format = NumberFormat::bf16;
  GemmShape gemm;
  bool cold = false;
  AttentionCall attention;
  ExpertCall experts;
  Seconds measured;
};

// `device` names what the rows were measured on when the table does not; empty: by the file's name. Throws
// InputError with the line of what cannot be read.
[[nodiscard]] std::vector<KernelRow> read_kernel_table(const std::string& file,
                                                       const std::string& device = "");
[[nodiscard]] std::vector<KernelRow> parse_kernel_table(const std::string& text, const std::string& file,
                                                        const std::string& device);

// What the rates say about a row: the benchmark's rotation of weights and dynamic fp8 quantisation included.
// Nothing where the rates do not cover it. `correct`: with the correction grid.
[[nodiscard]] std::optional<Seconds> kernel_time(const KernelRates& rates, const KernelRow& row,
                                                 bool correct = true);

}  // namespace paceline
