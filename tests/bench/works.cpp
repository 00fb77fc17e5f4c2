#include "tests/bench/works.h"

#include <algorithm>
#include <array>

namespace paceline::bench {
namespace {

constexpr BytesPerSecond link_rate = gigabytes_per_second(50);
constexpr Seconds step_latency = Seconds(500e-9);
constexpr Bytes bucket = mebibytes(25);
constexpr int pieces = 40;
constexpr Seconds forward = milliseconds(50);
constexpr Seconds backward_piece = milliseconds(2.5);
constexpr Seconds optimizer = milliseconds(5);

double ring_steps(std::uint32_t ranks) { return 2.0 * (ranks - 1); }

struct Cluster {
  RankId rank;
  ResourceId link;
  StreamId compute, communication;
};

Cluster add_cluster(Program& program, std::uint32_t ranks) {
  const RankId rank = program.add_rank({.name = "GPU", .first_rank = 0, .multiplicity = ranks});
  return {.rank = rank,
          .link = program.add_resource({"link", link_rate, rank}),
          .compute = program.add_stream({rank, StreamKind::compute, "compute"}),
          .communication = program.add_stream({rank, StreamKind::communication, "communication"})};
}

OpId add_all_reduce(Program& program, const Cluster& cluster, std::uint32_t ranks, Bytes message,
                    double slowdown, OpId after) {
  const CommunicationId id = program.add_communication({.message = message,
                                                        .ranks = ranks,
                                                        .latency = ring_steps(ranks) * step_latency,
                                                        .wire_bytes = ring_steps(ranks) / ranks * message,
                                                        .rate = link_rate,
                                                        .compute_slowdown = slowdown,
                                                        .algorithm = "ring",
                                                        .protocol = "Simple",
                                                        .uses = {{cluster.link, 1}}});
  const std::array<OpId, 1> dependency{after};
  return program.add_operation({.stream = cluster.communication,
                                .kind = OpKind::communication,
                                .family = Family::communication,
                                .name = program.strings.intern("all-reduce"),
                                .communication = id},
                               std::span(dependency).first(after == no_id ? 0 : 1));
}

OpId add_local(Program& program, StreamId stream, const char* name, Seconds duration,
               std::span<const OpId> after = {}) {
  return program.add_operation(
      {.stream = stream, .name = program.strings.intern(name), .seconds = duration.value()}, after);
}

}  // namespace

Seconds ring_all_reduce_time(std::uint32_t ranks, Bytes message) {
  return ring_steps(ranks) * (step_latency + message / ranks / link_rate);
}

Program one_all_reduce(std::uint32_t ranks) {
  Program program;
  const Cluster cluster = add_cluster(program, ranks);
  add_all_reduce(program, cluster, ranks, gibibytes(1), 0, no_id);
  return program;
}

Seconds one_all_reduce_time(std::uint32_t ranks) { return ring_all_reduce_time(ranks, gibibytes(1)); }

Program data_parallel_step(std::uint32_t ranks) {
  Program program;
  const Cluster cluster = add_cluster(program, ranks);
  add_local(program, cluster.compute, "forward", forward);
  std::vector<OpId> buckets;
  for (int piece = 0; piece < pieces; ++piece) {
    const OpId ready = add_local(program, cluster.compute, "backward", backward_piece);
    buckets.push_back(add_all_reduce(program, cluster, ranks, bucket, 0, ready));
  }
  add_local(program, cluster.compute, "optimizer", optimizer, buckets);
  return program;
}

// Bucket k, from 1, is ready at f + k b; one all-reduce takes a. They queue: the last ends at
// max over k of (f + k b + (41 - k) a), which is the larger of k = 40 (communication keeps up) and k = 1 (it
// does not).
Seconds data_parallel_step_time(std::uint32_t ranks) {
  const Seconds one = ring_all_reduce_time(ranks, bucket);
  const Seconds keeps_up = forward + pieces * backward_piece + one;
  const Seconds falls_behind = forward + backward_piece + pieces * one;
  return std::max(keeps_up, falls_behind) + optimizer;
}

Program many_kernels(std::uint32_t ranks, std::uint32_t kernels, double slowdown) {
  constexpr std::uint32_t kernels_per_bucket = 16;
  Program program;
  const Cluster cluster = add_cluster(program, ranks);
  const StreamId host = program.add_stream({cluster.rank, StreamKind::host, "python"});
  OpId last_bucket = no_id;
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
    std::vector<OpId> after{add_local(program, host, "launch", microseconds(2))};
    const bool begins_bucket = kernel % kernels_per_bucket == 0;
    const OpId bucket_before = last_bucket;
    if (begins_bucket && kernel > 0)
      last_bucket = add_all_reduce(program, cluster, ranks, kibibytes(64), slowdown, after.front() - 1);
    if (begins_bucket && bucket_before != no_id) after.push_back(bucket_before);
    add_local(program, cluster.compute, "kernel", microseconds(kernel % 7 + 1), after);
  }
  return program;
}

Program shared_copies(std::uint32_t ranks, std::uint32_t copies) {
  Program program;
  const ResourceId bridge = program.add_resource({"host bridge", gigabytes_per_second(40), no_id});
  for (std::uint32_t each = 0; each < ranks; ++each) {
    const RankId rank = program.add_rank({.name = "GPU", .first_rank = static_cast<std::int32_t>(each)});
    const ResourceId slot = program.add_resource({"slot", gigabytes_per_second(12), rank});
    const StreamId stream = program.add_stream({rank, StreamKind::copy, "copy"});
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      const CommunicationId id =
          program.add_communication({.kind = CommunicationKind::copy,
                                     .wire_bytes = kibibytes(1024 + 7 * each + 13 * copy),
                                     .rate = gigabytes_per_second(12),
                                     .uses = {{slot, 1}, {bridge, 1}}});
      program.add_operation({.stream = stream,
                             .kind = OpKind::communication,
                             .family = Family::copy,
                             .name = program.strings.intern("copy"),
                             .communication = id});
    }
  }
  return program;
}

}  // namespace paceline::bench
