// "Is this bus bandwidth normal?": a measured table against what its machine should do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/collective/predictor.h"
#include "sim/hardware/hardware_catalog.h"
#include "sim/study/diagnosis/diagnosis_rules.h"
#include "sim/study/diagnosis/machine.h"
#include "sim/study/nccl_tests/curve_breaks.h"

namespace paceline {

enum class Verdict : std::uint8_t { normal, suspicious, slow, faster_than_links, not_judged };
[[nodiscard]] std::string_view to_string(Verdict verdict);

struct DiagnosedRow {
  Bytes bytes;
  Seconds measured, expected, low, high;  // nine of ten healthy machines lie between low and high
  Seconds least;                          // no machine with these links is faster
  BytesPerSecond busbw, expected_busbw;
  std::string algorithm, protocol;  // expected
  double ratio = 1;                 // measured over expected time
  bool decides = true;              // large enough, and both columns agree
};

struct Cause {
  std::string title, evidence;
  std::string implied, expected;  // the constant that the measurement implies, and what it should be
  std::string command;            // what to run next
  double weight = 0;
};

struct TableDiagnosis {
  NcclTestsTable table;
  std::string name;  // "all_reduce, 16 ranks on 2 nodes of dgx-h100"
  std::string cluster;
  CollectiveGroup group;
  std::vector<DiagnosedRow> rows;
  Verdict verdict = Verdict::not_judged;
  std::string reason;
  double median_ratio = 1, warn = 1;
  std::optional<Bytes> departs;  // from this size on the table is above the warning level
  CurveShape shape;
  std::vector<Cause> causes;  // likeliest first
  std::vector<std::string> notes;
};

struct DiagnosisOptions {
  MachineHints hints;
  std::optional<LaunchStyle> style;  // else as the log's header says
};

struct Diagnosis {
  std::string file;
  std::vector<TableDiagnosis> tables;
  std::vector<std::string> repairs;
  // The answer to "is it normal": every table that could be judged is.
  [[nodiscard]] bool normal() const;
};

// Throws InputError when the machine is not known or fits several clusters, when a table does not say its
// collective or ranks, and when no table can be judged; the message says what is missing.
[[nodiscard]] Diagnosis diagnose(const HardwareCatalog& catalog, const DiagnosisRules& rules,
                                 const NcclTestsLog& log, const DiagnosisOptions& options);

}  // namespace paceline
