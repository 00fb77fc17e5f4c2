// What the output of nccl-tests (or rccl-tests, or the usual PyTorch benchmark) says: its tables, the
// machine, and what NCCL_DEBUG lines between the rows add.
//
// It knows no hardware and no model. It stands beside the studies, not among the readers of traces: what it
// reads are tables of measured times, which become a Profile and never a Timeline.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace paceline {

struct NcclTestsRow {
  Bytes bytes;  // as nccl-tests counts them: the whole vector
  std::optional<Seconds> out_of_place, in_place;
  std::optional<double> algbw, busbw;  // as printed for out-of-place, GB/s
  double decimals = 0.005;             // half a unit of the last printed decimal of algbw and busbw
  std::int64_t wrong = 0;              // elements with a wrong value, both columns
  std::size_t line = 0;

  // Out-of-place; in-place where that alone is given.
  [[nodiscard]] Seconds time() const { return out_of_place ? *out_of_place : *in_place; }
};

struct NcclTestsDevice {
  int rank = 0, group = 0, ordinal = 0;
  std::int64_t pid = 0;
  std::string host, bus, name;
};

struct NcclTestsTable {
  std::string collective;       // "all_reduce", "alltoall", "sendrecv", ...; empty: not said
  std::string collective_from;  // where that comes from, in words
  int ranks = 0;                // of one communicator; 0: not said
  std::string ranks_from;
  int hosts = 0;                     // 0: not said
  std::string data_type, reduction;  // as printed
  // Of the job; shared by the tables of one header.
  std::shared_ptr<const std::vector<NcclTestsDevice>> device_list;
  std::vector<NcclTestsRow> rows;  // ascending by bytes, one for each
  std::optional<int> gpus_per_process;
  std::optional<int> threads;
  bool graph = false;
  std::optional<double> printed_average;  // "Avg bus bandwidth", GB/s
  std::optional<std::int64_t> out_of_bounds;
  // What contradicts itself: printed bandwidth against rank count, mixed jobs, wrong values.
  std::vector<std::string> warnings;
  bool doubtful = false;  // one of them says that this may not be the job that was meant, or wrong values

  [[nodiscard]] const std::vector<NcclTestsDevice>& devices() const;  // empty: not listed
  [[nodiscard]] int devices_per_host() const;                         // the largest number; 0: not said
  [[nodiscard]] std::vector<std::string> device_names() const;
};

struct NcclNic {
  std::string name, kind;              // "mlx5_0"; "IB", "RoCE", "Socket", "OFI"
  std::optional<BytesPerSecond> rate;  // where the line says it
};

// What NCCL's own lines say. Counts are of channels (connections) that use a path.
struct NcclDebug {
  std::string version;                           // "2.27.7"
  std::map<std::string, std::string> variables;  // NCCL_*, as set
  std::vector<NcclNic> nics;                     // of one host
  std::string network;                           // "IB", "Socket", "AWS Libfabric", ...
  std::string provider;                          // of libfabric: "efa", "cxi", "tcp"
  std::map<std::string, std::size_t> paths;      // "P2P", "SHM", "NET/IB", "NET/Socket", ...
  std::size_t network_direct = 0;                // of the network's, with GPUDirect RDMA
  std::optional<bool> gpu_direct, multicast;     // as announced; multicast: NVLS
  int communicator_ranks = 0;                    // "nranks"
  std::size_t lines = 0, warnings = 0;
};

struct NcclTestsLog {
  std::string file;
  std::string tool = "nccl-tests";  // "rccl-tests", "torch"
  std::string tool_version;
  std::vector<NcclTestsTable> tables;
  NcclDebug debug;
  std::optional<int> announced_ranks;  // by the launcher's command line in the log
  std::vector<std::string> repairs;    // what was skipped or repaired, with line numbers, and counts
};

// Any bytes: text of any generation of nccl-tests, or its JSON. Throws InputError when there is no table at
// all.
[[nodiscard]] NcclTestsLog read_nccl_tests(const std::string& file);
[[nodiscard]] NcclTestsLog read_nccl_tests(std::istream& stream, const std::string& file);

// nccl-tests' factor from algbw to busbw; nothing for a collective it does not have.
[[nodiscard]] std::optional<double> nccl_tests_factor(std::string_view collective, int ranks);
// "all_reduce" for "./build/all_reduce_perf", "AllReduce", "all-reduce"; empty when none is named.
[[nodiscard]] std::string nccl_tests_collective(std::string_view text);

}  // namespace paceline
