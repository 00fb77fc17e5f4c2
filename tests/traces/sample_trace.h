// A small trace as Kineto writes them, made in code, with the places where its records end.
#pragma once

#include <string>
#include <vector>

namespace paceline {

struct SampleTrace {
  std::string text;
  std::size_t events_begin = 0;          // the byte after the [ of traceEvents
  std::vector<std::size_t> record_ends;  // the byte after the } of each record
};

// `steps` training steps of rank 3: operators, launches, kernels, an all-reduce, memory events, flows,
// metadata rows.
SampleTrace sample_trace(int steps);

// A complete file around the given records, separated by commas.
std::string trace_of(const std::string& records);

}  // namespace paceline
