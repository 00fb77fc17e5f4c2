// Profile: what one machine's hardware can do, as measured by paceline-probe, each figure with its spread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"

namespace paceline {

// A timed operation: the median of `samples` runs, with the spread that goes with it.
struct Measurement {
  Seconds median;
  Seconds median_absolute_deviation;
  Seconds p5;
  Seconds p95;
  int samples = 0;
  bool noisy = false;  // the spread was too wide to trust the median to a few per cent
};

struct MeasuredGemm {     // C[m,n] += A[m,k] B[k,n], `batch` times
  std::string precision;  // "fp32", "tf32", "fp16", "bf16", "fp64"
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  Measurement time;
};

struct MeasuredMemory {   // one pass over `bytes` of traffic (read and written bytes together)
  std::string operation;  // "read", "write", "copy", "triad"
  Bytes bytes;
  Measurement time;
};

struct MeasuredCopy {
  std::string direction;  // "host_to_device", "device_to_host", "device_to_device", "host_to_host"
  bool pinned = false;
  Bytes bytes;
  Measurement time;
};

struct MeasuredCollective {
  std::string kind;       // "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"
  std::string transport;  // what carried it: "shared memory ring", "gloo", "nccl", ...
  int ranks = 0;
  int nodes = 1;
  Bytes bytes;  // message size as nccl-tests counts it
  Measurement time;
};

struct MeasuredLaunch {
  std::string what;  // "empty kernel", "event record", "operator"
  Measurement time;
};

struct Profile {
  std::string device;   // what it was measured on, as the driver or the operating system names it
  std::string backend;  // "cpu" or "cuda"
  std::string date;     // ISO 8601
  std::string host;
  std::vector<std::string> notes;  // versions, warnings: "the machine was noisy: ..."
  // Share of the burst clock that compute-bound kernels keep under a long load.
  std::optional<double> sustained_clock;
  std::vector<MeasuredGemm> gemms;
  std::vector<MeasuredMemory> memory;
  std::vector<MeasuredCopy> copies;
  std::vector<MeasuredCollective> collectives;
  std::vector<MeasuredLaunch> launches;
};

// "paceline/profile-1". Reading throws InputError; times and sizes must be positive.
Profile read_profile(const std::string& file);
void write_profile(const Profile& profile, const std::string& file);
std::string to_json(const Profile& profile);

}  // namespace paceline
