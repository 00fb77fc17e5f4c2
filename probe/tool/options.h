// The command line of paceline-probe.
#pragma once

#include <optional>
#include <string>

#include "probe/probe_run.h"

namespace paceline {

struct ProbeOptions {
  std::string device;  // "cpu" or "cuda"
  std::string output;  // empty: the table only; "-": JSON on standard output instead of the table
  ProbeRequest request;
};

// Empty if --help or --version was asked for and has been printed. Throws InputError for a bad command line.
std::optional<ProbeOptions> parse_options(int argc, const char* const* argv);

}  // namespace paceline
