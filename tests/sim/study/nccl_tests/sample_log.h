// Invented output of nccl-tests, in the forms that its generations print.
#pragma once

#include <string>
#include <vector>

namespace paceline {

struct SamplePoint {
  double bytes, micro;
  double in_place = 0;  // us; 0: as out-of-place
};

struct SampleLog {
  std::string collective = "all_reduce";
  int hosts = 1, per_host = 8;
  std::string gpu = "NVIDIA A100-SXM4-80GB";
  int gpus_per_process = 1;
  std::string type = "float", reduction = "sum";
  std::vector<std::string> debug;  // lines between header and table
  std::vector<SamplePoint> points;
  bool devices = true;
  double factor = 0;   // busbw over algbw; 0: as the ranks have it
  std::string before;  // in front of it all, such as the launcher's command line
};

// As version 2.17 prints it.
[[nodiscard]] std::string sample_text(const SampleLog& log);
// Its header and list of devices alone, and its rows alone.
[[nodiscard]] std::string sample_header(const SampleLog& log, int first_pid = 1000);
[[nodiscard]] std::vector<std::string> sample_rows(const SampleLog& log);

// Sizes from `first` to `last` bytes, doubling, with times latency + bytes / rate.
[[nodiscard]] std::vector<SamplePoint> sample_points(double first, double last, double latency_micro,
                                                     double bytes_per_micro);

}  // namespace paceline
