// Framework: how a training framework runs layers, optimizers and gradient synchronisation, as data with a
// source.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "sim/strategy/transformer_rules.h"

namespace paceline {

enum class Optimizer { sgd, momentum, adam, lamb, lars, rmsprop };
constexpr std::size_t optimizer_count = 6;
[[nodiscard]] const std::vector<std::string>& optimizer_names();  // "sgd", "momentum", "adam", ...
// Bytes of state a parameter keeps between steps (fp32): 0, 4, 8, 8, 4, 8.
[[nodiscard]] Bytes optimizer_state_per_parameter(Optimizer optimizer);

// Gradient synchronisation by DistributedDataParallel or its equivalent.
struct GradientEngine {
  Seconds per_tensor;  // device time of the two small kernels around the bucket of each tensor
  Bytes bucket_cap, first_bucket;
  bool overlap = true;           // all-reduces start during backward
  bool half_gradients = false;   // mixed precision reduces 16-bit gradients
  Bytes buffer_broadcast_limit;  // chunk of the per-step broadcast of buffers
};

// PowerSGD as DDP's communication hook, in the steady state: what its kernels do to each bucket.
struct PowerSgdRules {
  double minimum_rate = 0;      // a matrix is compressed when its factors are smaller by more than this
  double passes_before = 0;     // reads and writes of a compressed element before the first factor is sent
  double passes_after = 0;      // after it
  double column_operators = 0;  // of the orthogonalisation, each column
  double projection_operators = 0;  // further, each pair of neighbouring columns
};

// Horovod, as it was installed beside a framework.
struct HorovodEngine {
  Bytes fusion_threshold;      // of the fusion buffer
  Seconds cycle_time;          // of the background thread
  Seconds per_tensor;          // device time of the two copies of a tensor through the fusion buffer
  Seconds network_per_tensor;  // negotiation between nodes, a tensor
};

// All-reduce of all gradients after backward, by the framework itself: TensorFlow's MirroredStrategy and
// MultiWorkerMirroredStrategy, `replicated` of its benchmarks, the collective modes of Paddle and MindSpore.
struct MirroredEngine {
  Bytes pack;                  // gradients concatenated until they reach it; 0: all of them
  Seconds per_tensor;          // between backward and the all-reduces
  Seconds network_per_tensor;  // further, when there are several nodes
  double network_share = 1;    // of the network's rate that its transport reaches
};

// Host cost of eager execution.
struct HostRules {
  Seconds forward_operator, backward_operator;  // dispatch and launch of one operator
  Seconds optimizer_tensor;                     // of the optimizer step, a parameter tensor
  Seconds replicate_object;                     // nn.DataParallel: a module or parameter of one replica
};

struct Framework {
  std::string name, title, source;
  std::vector<std::string> aliases;
  // Bytes that memory-bound kernels move, against the ideal count of each operator.
  double convolutional_traffic = 1, transformer_traffic = 1;
  double mixed_precision_traffic = 1;  // further factor: which operators autocast leaves in 32 bit
  bool fused = false;                  // activation and residual add folded into BatchNorm (compiled graphs)
  bool channels_last = false;          // NHWC by default under mixed precision: no layout transposes
  double dense_factor = 1;             // of the architecture's efficiency in convolutions (old cuDNN)
  std::array<Bytes, optimizer_count> optimizer_traffic{};  // bytes a parameter moved by one step
  HostRules host;
  GradientEngine gradients;
  std::vector<std::string> strategies;                // that it has, by name; empty: any
  std::optional<double> convolutional_mixed_traffic;  // of convolutional nets, where the factor differs there
  bool fused_channels_last_only = false;              // its fused kernels exist in 16 bit and NHWC alone
  bool convolutional_only = false;                    // nothing is known of its transformers
  bool transformer_only = false;                      // nor of its convolutional nets
  // Samples a second that its own loader decodes for one node, of images; absent: it never held up a
  // published step.
  std::optional<double> input_rate;
  double uncertainty = 0;  // |ln| error of a step that comes on top of the architecture's
  std::optional<MirroredEngine> mirrored;
  std::optional<TransformerRules> transformer;  // how it runs transformers that may be split in any way
  std::optional<PowerSgdRules> power_sgd;       // absent: not known to have that hook
  std::optional<HorovodEngine> horovod;         // absent: not known to run with this framework
  bool gradients_released = true;               // zero_grad(set_to_none=True): no gradients between steps
  Bytes context;                                // driver context and loaded kernels, a process and device
  Bytes communicator;                           // library buffers of a process group's communicator, a device
  Bytes library_workspace;                      // matrix library workspaces, a device
};

class FrameworkCatalog {
 public:
  static FrameworkCatalog load(const std::string& folder);
  // By name or alias. Throws InputError that names the nearest.
  [[nodiscard]] const Framework& framework(const std::string& name) const;
  // As a publication names it ("pytorch 1.4", "pytorch-ngc"), with the model family ("bert") that its scripts
  // may treat in their own way. Nothing when it is not known.
  [[nodiscard]] const Framework* published(const std::string& name, const std::string& family) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::map<std::string, Framework> frameworks_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace paceline
