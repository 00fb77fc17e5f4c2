// What the kernels of one device and library generation reach: the numbers that the time formulas of this
// folder take, each operator's with the error that they leave.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/cost/kernel/correction_grid.h"
#include "sim/cost/kernel/number_format.h"
#include "sim/hardware/device.h"

namespace paceline {

// |ln(predicted / measured)| over the rows that the numbers were fitted to or judged by.
struct ModelError {
  double median = 0, p90 = 0;
};

// Of matrix products in one number format; gemm_time.h says what each does.
struct GemmRates {
  Seconds start;            // device time of one launch in a CUDA graph
  FlopsPerSecond rate;      // what the tensor cores reach in bursts
  BytesPerSecond memory;    // what the memory reaches
  BytesPerSecond l2;        // from L2 to the processors
  Seconds k_step;           // latency of 64 elements of k in one block
  Seconds split;            // second pass of a split k
  BytesPerSecond epilogue;  // of one processor writing its tile
  double hidden_waves = 0;  // share of the last wave's idle time that the library hides
  Bytes l2_capacity;        // working sets below it are served by L2
  BytesPerSecond resident;  // rate at which it serves them
  Seconds quantise_start;   // dynamic quantisation to fp8: scale and cast of the activation
  double quantise_traffic = 0;
  ModelError error, corrected_error;
  CorrectionGrid correction;
};

// Of a fused attention kernel; attention_time.h.
struct AttentionRates {
  std::map<double, FlopsPerSecond> rate;  // by head size (mean of the query-key and the value size)
  Seconds start, floor;
  BytesPerSecond memory;
  Seconds row, k_block;
  double longest = 0, longest_tail = 0;
  ModelError error;
};

// Of attention in training, whose forward does nothing but attention.
struct TrainingAttentionRates {
  FlopsPerSecond forward;    // head size 128
  double backward_rate = 0;  // of forward's
  double longest = 0;
  // The same for query and key heads of 192 and value heads of 128 (multi-head latent attention); 0: unknown.
  FlopsPerSecond latent_forward;
  double latent_backward_rate = 0;
  Seconds forward_start, backward_start;  // of a call, with the host's part where the harness waited for it
  // Share of the rate at other head sizes than 128, between them by proportion; empty: as the inference
  // kernels of the device.
  std::map<double, double> by_head;
  double clock = 1;  // of the burst clock, at which `forward` was found: it grows and falls with the clock
  ModelError error;
  std::string source;
};

// Of a layer of experts: routing, permutation, two grouped products, activation; expert_time.h.
struct ExpertRates {
  Seconds start, k_step;
  FlopsPerSecond rate;
  BytesPerSecond memory, l2;
  double permute_traffic = 0;
  double skew_1_01 = 0, skew_1_2 = 0;  // load of the hottest of ep ranks: ep to this power
  double active_share = 0;
  double prologue = 0;  // elements of k
  ModelError error;
};

// What compute-bound kernels keep of their burst rate when the device is busy for longer than some tens of
// milliseconds.
struct SustainedClock {
  double value = 1, uncertainty = 0;
  std::string source;
};

// A product takes longer when a row of one of its matrices is no multiple of these bytes.
struct AlignmentFactors {
  double below_128 = 1, below_16 = 1;
  std::string source;
};

// Collectives among the kernels of a model take longer than in a loop of their own.
struct LoadedCollectives {
  double factor = 1.1;
  std::string source;
};

struct KernelRates {
  std::string name, device, library, source, protocol;
  std::vector<std::string> aliases;  // as measured tables call the device
  int multiprocessors = 1;
  Bytes l2_cache;
  std::array<std::optional<GemmRates>, number_format_count> gemm;
  std::optional<AttentionRates> attention, latent_attention;
  std::map<std::string, TrainingAttentionRates>
      training_attention;  // by library: "cudnn", "flash-attention-2"
  std::optional<ExpertRates> experts;
  std::optional<SustainedClock> sustained_clock;
  AlignmentFactors alignment;
  LoadedCollectives loaded_collectives;
  // Of another device, scaled by data sheets (transfer.h): what that adds to the standard deviation of
  // ln(time), and in words.
  double transfer_uncertainty = 0;
  std::vector<std::string> notes;
};

// That of the rates, else of the device's file, else the middle of what is known of others.
[[nodiscard]] double sustained_clock_of(const KernelRates& rates, const Device& device);

// A "paceline/kernel-rates-1" file. Throws InputError.
[[nodiscard]] KernelRates read_kernel_rates(const std::string& file);

[[nodiscard]] std::string to_json(const KernelRates& rates);

// The kernel-rates files of `folder`, in the order of their names; other kinds of files there are left alone.
[[nodiscard]] std::vector<KernelRates> read_all_kernel_rates(const std::string& folder);

}  // namespace paceline
