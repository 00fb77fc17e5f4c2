#include "probe/cuda/device_launch.h"

#include <algorithm>
#include <utility>

#include "probe/cuda/kernels.h"

namespace paceline {
namespace {

// Batches are shorter than the driver's queue of some 1024 launches: a full queue would make the host wait
// for the device. The queue is empty before each batch, outside the timed part.
TimedRun host_time(const ProbeRun& run, const CudaDevice& device, std::function<void()> call) {
  return [&run, &device, call = std::move(call)](int repetitions) {
    constexpr int batch = 256;
    Seconds total;
    for (int done = 0; done < repetitions; done += batch) {
      device.wait();
      const Seconds start = run.clock();
      for (int i = 0; i < std::min(batch, repetitions - done); ++i) call();
      total += run.clock() - start;
    }
    device.wait();
    return total;
  };
}

}  // namespace

void measure_device_launches(const ProbeRun& run, const CudaDevice& device, Profile& profile) {
  const Event event = new_event();
  const auto launch = [&] { check(launch_empty(device.stream()), "empty kernel"); };
  const auto record = [&] { check(cudaEventRecord(event.get(), device.stream()), "cudaEventRecord"); };
  const auto launch_and_wait = [&](int repetitions) {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      launch();
      device.wait();
    }
  };
  const auto add = [&](const char* what, const TimedRun& timed) {
    profile.launches.push_back({what, run.measured(what, timed)});
  };
  add("empty kernel", host_time(run, device, launch));
  add("empty kernel, device", device.timed([&](cudaStream_t) { launch(); }));
  add("empty kernel and wait", timed_by(run.clock, launch_and_wait));
  add("event record", host_time(run, device, record));
}

}  // namespace paceline
