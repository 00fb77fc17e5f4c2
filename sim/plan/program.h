// Program: what each rank has to do. Operations on streams, their dependencies, communications between groups
// of ranks, allocations and frees. Durations in it depend on the rank's own hardware only; when things happen
// is the engine's business.
//
// Folding: ranks that do the same are written once, with a multiplicity. `unfold` writes them out again; both
// forms must give the same times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/provenance.h"
#include "base/quantity.h"
#include "traces/timeline.h"

namespace paceline {

using RankId = std::uint32_t;
using StreamId = std::uint32_t;
using OpId = std::uint32_t;
using CommunicationId = std::uint32_t;
using ResourceId = std::uint32_t;
constexpr std::uint32_t no_id = 0xFFFFFFFFU;

// A rank, or `multiplicity` ranks that do the same: the real ranks
//   first_rank + i % rank_block + i / rank_block * rank_stride
// A process that drives several devices (nn.DataParallel) appears as one rank per device and one for its host
// thread.
struct ProgramRank {
  std::string name;  // "rank 0", "GPU 1-7", "process 0"
  std::int32_t first_rank = 0;
  std::uint32_t multiplicity = 1;
  bool is_device = true;
  std::int32_t rank_stride = 1;
  std::int32_t rank_block = 1;
};

enum class StreamKind : std::uint8_t { host, compute, communication, copy };
struct ProgramStream {
  RankId rank = 0;
  StreamKind kind = StreamKind::compute;
  std::string name;  // as a profiler would name it
};

// Something that transfers share: a device's link, a PCIe slot, a host bridge, a node's network ports. One
// that is `owned` exists once for every rank that its owner stands for; one without an owner exists once.
struct Resource {
  std::string name;
  BytesPerSecond capacity;
  RankId owner = no_id;
};
struct ResourceUse {
  ResourceId resource = 0;
  double weight = 1;  // bytes that cross the resource for each byte of the transfer
};

enum class CommunicationKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,
  send_receive,
  copy
};
[[nodiscard]] std::string_view to_string(CommunicationKind kind);

// A collective or a copy. It starts when every operation that belongs to it has been reached; waits
// `arrival_spread` (the expected wait for the last of many ranks whose times vary) and `latency`; then moves
// `wire_bytes` at no more than `rate`, sharing its resources by max-min fairness; all its operations end
// together. Alone on its resources it takes arrival_spread + latency + wire_bytes / rate.
//
// With `instances` = 1 all replicas of its ranks take part in one collective. With more, the replicas of a
// rank are spread evenly over that many groups that run side by side. Those of a group are `stride` replicas
// apart: with k = multiplicity / instances of them in each, replica i joins group i % stride + stride *
// (i / (stride k)); stride divides instances. A copy that every rank does for itself has instances =
// multiplicity.
struct Communication {
  CommunicationKind kind = CommunicationKind::all_reduce;
  Bytes message{};          // size as nccl-tests counts it
  std::uint32_t ranks = 1;  // real ranks in each group
  std::uint32_t instances = 1;
  std::uint32_t stride = 1;
  Seconds latency{};
  Seconds arrival_spread{};
  Bytes wire_bytes{};
  BytesPerSecond rate{};
  // Share of the compute streams' speed that the ranks taking part lose while it runs, in [0, 1).
  double compute_slowdown = 0;
  std::string algorithm{};  // "ring", "tree", ...; "" for a copy
  std::string protocol{};   // "LL", "LL128", "Simple"
  std::string group{};      // process group, where a rank has several: "tensor", "data", ...
  std::vector<ResourceUse> uses{};
};

enum class OpKind : std::uint8_t { local, communication };

struct Operation {
  StreamId stream = 0;
  OpKind kind = OpKind::local;
  Family family = Family::kernel;
  Provenance provenance = Provenance::modelled;
  StringId name = 0;        // in Program::strings
  std::uint16_t phase = 0;  // in Program::phases: forward, backward, optimizer, ...
  CommunicationId communication = no_id;
  double seconds = 0;  // local operations: own duration
};

// Why memory is held. `workspace` holds library buffers, NCCL's and cuBLAS's among them.
enum class MemoryCause : std::uint8_t {
  parameters,
  gradients,
  optimizer,
  activations,
  buckets,
  outputs,
  buffers,
  input,
  context,
  workspace,
  allocator
};
constexpr std::size_t memory_cause_count = 11;
[[nodiscard]] std::string_view to_string(MemoryCause cause);

// Bytes that change hands when an operation starts or ends; op = no_id means before the step.
struct MemoryEvent {
  OpId op = no_id;
  RankId rank = 0;
  bool at_end = false;
  MemoryCause cause = MemoryCause::activations;
  Bytes change;
};

class Program {
 public:
  StringPool strings;
  std::vector<std::string> phases;
  std::vector<ProgramRank> ranks;
  std::vector<ProgramStream> streams;
  std::vector<Resource> resources;
  std::vector<Communication> communications;
  std::vector<Operation> operations;  // of a stream: in the order in which they are enqueued
  std::vector<MemoryEvent> memory;

  RankId add_rank(ProgramRank rank);
  StreamId add_stream(ProgramStream stream);
  ResourceId add_resource(Resource resource);
  CommunicationId add_communication(Communication communication);
  std::uint16_t phase(std::string_view name);

  // Appends to the operation's stream; it starts when the stream's previous operation and all of `after` have
  // ended. `after` must be earlier operations.
  OpId add_operation(const Operation& operation, std::span<const OpId> after = {});

  [[nodiscard]] std::span<const OpId> dependencies(OpId op) const;
  [[nodiscard]] std::size_t device_count() const;  // real devices, multiplicities counted

 private:
  std::vector<std::uint32_t> dependency_end_;
  std::vector<OpId> dependencies_;
};

// The same work with every rank written out. A dependency between two ranks of multiplicity m links replica
// to replica when both have the same multiplicity, else all to all. Memory events are replicated too.
[[nodiscard]] Program unfold(const Program& program);

}  // namespace paceline
