#include "probe/cpu/cpu_probe.h"

#include <fmt/format.h>

#include "probe/cpu/blas.h"
#include "probe/cpu/collectives.h"
#include "probe/cpu/gemm.h"
#include "probe/cpu/launch.h"
#include "probe/cpu/machine.h"
#include "probe/cpu/memory.h"

namespace paceline {
namespace {

void note_machine(const Machine& machine, Profile& profile) {
  profile.notes.push_back(
      fmt::format("{} CPUs, last-level cache {}", machine.cpus, to_binary_string(machine.last_level_cache)));
  profile.notes.push_back(blas_description());
  if (const auto kernels = better_blas_kernels()) {
    profile.notes.push_back(fmt::format(
        "OpenBLAS does not know this processor and multiplies slowly: set OPENBLAS_CORETYPE={}", *kernels));
  }
  // Half a CPU: what a desktop or a shell needs.
  if (machine.load < 0.5) return;
  profile.notes.push_back(fmt::format(
      "the machine was busy: on average {:.1f} processes wanted a CPU in the minute before", machine.load));
}

}  // namespace

Profile probe_cpu(const ProbeRun& run) {
  const Machine machine = this_machine();
  Profile profile = new_profile("cpu", machine.processor);
  note_machine(machine, profile);
  const auto asked_for = [&](Part part) { return run.request.parts.count(part) > 0; };
  // First, so that ranks are forked from a small process without threads.
  if (asked_for(Part::collectives)) measure_collectives(run, machine, profile);
  if (asked_for(Part::launch)) measure_hand_over(run, profile);
  if (asked_for(Part::gemm)) measure_gemms(run, profile);
  if (asked_for(Part::copies)) measure_host_copies(run, profile);
  if (asked_for(Part::memory)) measure_memory(run, machine, profile);
  note_noise(profile);
  return profile;
}

}  // namespace paceline
