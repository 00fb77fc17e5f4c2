#include "sim/engine/to_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/engine/memory_counter.h"

namespace paceline {
namespace {

class Conversion {
 public:
  Conversion(const Program& program, const Schedule& schedule) : program_(program), schedule_(schedule) {}

  Timeline result() {
    timeline_.strings = program_.strings;  // so that names keep their ids
    timeline_.reserve_slices(program_.operations.size() + program_.ranks.size());
    intern_keys();
    add_tracks();
    for (OpId op = 0; op < program_.operations.size(); ++op) add_slice(op);
    add_steps();
    add_launch_flows();
    add_collective_flows();
    add_memory_counters(program_, schedule_, timeline_);
    return std::move(timeline_);
  }

 private:
  // Argument names as PyTorch's profiler has them, where it has them.
  struct Keys {
    StringId provenance, phase, collective, bytes, group_size, group, algorithm, protocol, wait, transfer;
  };

  void intern_keys() {
    StringPool& strings = timeline_.strings;
    keys_ = {.provenance = strings.intern("provenance"),
             .phase = strings.intern("phase"),
             .collective = strings.intern("Collective name"),
             .bytes = strings.intern("bytes"),
             .group_size = strings.intern("Group size"),
             .group = strings.intern("Process Group Description"),
             .algorithm = strings.intern("algorithm"),
             .protocol = strings.intern("protocol"),
             .wait = strings.intern("wait_ns"),
             .transfer = strings.intern("transfer_ns")};
    for (const std::string& phase : program_.phases) phases_.push_back(strings.intern(phase));
  }

  void add_tracks() {
    for (StreamId stream = 0; stream < program_.streams.size(); ++stream) {
      const ProgramStream& each = program_.streams[stream];
      const ProgramRank& rank = program_.ranks[each.rank];
      const bool is_host = each.kind == StreamKind::host;
      timeline_.add_track({.rank = rank.first_rank,
                           .kind = is_host ? TrackKind::host_thread : TrackKind::device_stream,
                           .process_name = timeline_.strings.intern(process_name(rank)),
                           .name = timeline_.strings.intern(each.name),
                           .process_id = each.rank,
                           .thread_id = stream,
                           .sort_index = stream});
    }
  }

  // "GPU 1-7 (x7)": readers must see that a track stands for several ranks.
  static std::string process_name(const ProgramRank& rank) {
    if (rank.multiplicity == 1 || rank.name.find("(x") != std::string::npos) return rank.name;
    return fmt::format("{} (x{})", rank.name, rank.multiplicity);
  }

  void add_slice(OpId op) {
    const Operation& operation = program_.operations[op];
    const Nanoseconds start = to_nanoseconds(schedule_.start[op]);
    const Nanoseconds end = to_nanoseconds(schedule_.end[op]);
    timeline_.add_slice(operation.stream, operation.name, family_of(operation), start, end - start);
    timeline_.add_argument(keys_.provenance, timeline_.strings.intern(to_string(operation.provenance)));
    if (operation.phase < phases_.size()) timeline_.add_argument(keys_.phase, phases_[operation.phase]);
    if (operation.kind == OpKind::communication) describe_communication(operation.communication, start, end);
  }

  [[nodiscard]] Family family_of(const Operation& operation) const {
    if (operation.kind == OpKind::local || operation.family != Family::kernel) return operation.family;
    const bool is_copy = program_.communications[operation.communication].kind == CommunicationKind::copy;
    return is_copy ? Family::copy : Family::communication;
  }

  void describe_communication(CommunicationId id, Nanoseconds start, Nanoseconds end) {
    const Communication& communication = program_.communications[id];
    StringPool& strings = timeline_.strings;
    const Nanoseconds all_present = to_nanoseconds(schedule_.all_present[id]);
    timeline_.add_argument(keys_.bytes, std::int64_t{std::llround(communication.message.value())});
    timeline_.add_argument(keys_.wait, all_present - start);
    timeline_.add_argument(keys_.transfer, end - all_present);
    if (communication.kind == CommunicationKind::copy) return;
    timeline_.add_argument(keys_.collective, strings.intern(to_string(communication.kind)));
    timeline_.add_argument(keys_.group_size, std::int64_t{communication.ranks});
    if (!communication.group.empty())
      timeline_.add_argument(keys_.group, strings.intern(communication.group));
    timeline_.add_argument(keys_.algorithm, strings.intern(communication.algorithm));
    timeline_.add_argument(keys_.protocol, strings.intern(communication.protocol));
  }

  // On each rank's host track, or its first one, as PyTorch's profiler marks a step.
  void add_steps() {
    std::vector<StreamId> track(program_.ranks.size(), no_id);
    for (StreamId stream = 0; stream < program_.streams.size(); ++stream) {
      StreamId& chosen = track[program_.streams[stream].rank];
      const bool is_host = program_.streams[stream].kind == StreamKind::host;
      if (chosen == no_id || (is_host && program_.streams[chosen].kind != StreamKind::host)) chosen = stream;
    }
    const StringId name = timeline_.strings.intern("ProfilerStep#0");
    for (const StreamId stream : track)
      if (stream != no_id)
        timeline_.add_slice(stream, name, Family::step, 0, to_nanoseconds(schedule_.finish));
  }

  [[nodiscard]] bool is_host(OpId op) const {
    return program_.streams[program_.operations[op].stream].kind == StreamKind::host;
  }

  // From what a host thread did to the device work that it released. Slices have the ids of their operations.
  void add_launch_flows() {
    const StringId category = timeline_.strings.intern("ac2g");
    for (OpId op = 0; op < program_.operations.size(); ++op) {
      if (is_host(op)) continue;
      for (const OpId dependency : program_.dependencies(op))
        if (is_host(dependency)) timeline_.flows.push_back({dependency, op, category});
    }
  }

  // A chain through the operations of each communication on several ranks, in the order in which they
  // arrived: it ends at the one that the others waited for.
  void add_collective_flows() {
    const StringId category = timeline_.strings.intern("collective");
    std::vector<std::vector<OpId>> members(program_.communications.size());
    for (OpId op = 0; op < program_.operations.size(); ++op)
      if (program_.operations[op].kind == OpKind::communication)
        members[program_.operations[op].communication].push_back(op);
    for (std::vector<OpId>& ops : members) {
      std::stable_sort(ops.begin(), ops.end(),
                       [this](OpId a, OpId b) { return schedule_.start[a] < schedule_.start[b]; });
      for (std::size_t index = 1; index < ops.size(); ++index)
        if (rank_of(ops[index - 1]) != rank_of(ops[index]))
          timeline_.flows.push_back({ops[index - 1], ops[index], category});
    }
  }

  [[nodiscard]] RankId rank_of(OpId op) const {
    return program_.streams[program_.operations[op].stream].rank;
  }

  const Program& program_;
  const Schedule& schedule_;
  Timeline timeline_;
  Keys keys_{};
  std::vector<StringId> phases_;
};

}  // namespace

// Both steps are monotonic, so the order of two times survives.
Nanoseconds to_nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

Timeline to_timeline(const Program& program, const Schedule& schedule) {
  return Conversion(program, schedule).result();
}

}  // namespace paceline
