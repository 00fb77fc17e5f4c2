// The verdict on a table, by the rules of scenarios/diagnosis.json.
#include <fmt/format.h>

#include <algorithm>

#include "base/statistics.h"
#include "sim/study/diagnosis/expectation.h"

namespace paceline::diagnosis {
namespace {

constexpr std::size_t largest_count = 3;  // rows that decide where none is large

double warn_level(const Question& question) {
  const DiagnosisRules& rules = *question.rules;
  switch (collective_class(question.cluster, question.predictor().terms())) {
    case CollectiveConstants::switched:
      return rules.warn_switched;
    case CollectiveConstants::rdma_nodes:
      return rules.warn_rdma;
    case CollectiveConstants::other_nodes:
      return rules.warn_other_fabrics;
    default:
      return rules.warn_other;
  }
}

double second_largest_ratio(const std::vector<DiagnosedRow>& rows) {
  std::vector<double> ratios;
  for (const DiagnosedRow& row : rows)
    if (row.decides) ratios.push_back(row.ratio);
  if (ratios.size() < 2) return 0;
  std::nth_element(ratios.begin(), ratios.begin() + 1, ratios.end(), std::greater<>());
  return ratios[1];
}

// The size from which every deciding row is above the level; for a table that is slow in the middle only, the
// first row far above.
std::optional<Bytes> departure(const std::vector<DiagnosedRow>& rows, double level, double far) {
  std::optional<Bytes> from;
  for (std::size_t index = rows.size(); index-- > 0;) {
    if (!rows[index].decides) continue;
    if (rows[index].ratio < level) break;
    from = rows[index].bytes;
  }
  if (from) return from;
  for (const DiagnosedRow& row : rows)
    if (row.decides && row.ratio > far) return row.bytes;
  return std::nullopt;
}

// Between two nodes releases of the library differ in whether they take a ring or a tree, which moves fewer
// bytes: a time that a ring explains is no fault when the release is not known.
bool a_ring_explains(const Question& question, const std::vector<const DiagnosedRow*>& large) {
  if (question.group.nodes() != 2 || question.kind != CollectiveKind::all_reduce ||
      question.settings.library.version)
    return false;
  Question ring = question;
  ring.settings.algorithms = {Algorithm::ring};
  const CollectivePredictor predictor = ring.predictor();
  std::vector<double> ratios;
  for (const DiagnosedRow* row : large)
    ratios.push_back(row->measured.value() / predictor.predict(row->bytes).time.total());
  return median(ratios) <= 1;
}

// How wide the prediction's interval is for these rows: what weak classes have missed by.
double upper_width(const std::vector<const DiagnosedRow*>& rows) {
  std::vector<double> widths;
  for (const DiagnosedRow* row : rows) widths.push_back(row->high / row->expected);
  return median(widths);
}

void set_verdict(TableDiagnosis& result, const Question& question,
                 const std::vector<const DiagnosedRow*>& large) {
  const DiagnosisRules& rules = *question.rules;
  const double width = upper_width(large), second = second_largest_ratio(result.rows);
  const std::size_t impossible =
      static_cast<std::size_t>(std::count_if(large.begin(), large.end(), [&](const auto* row) {
        return row->measured < row->least * rules.bound_share;
      }));
  const std::string sizes =
      fmt::format("{} {} of {} and more", large.size(), large.size() == 1 ? "size" : "sizes",
                  to_binary_string(large.front()->bytes));
  result.reason = fmt::format("median time {:.2f} x the expected over {}", result.median_ratio, sizes);
  if (impossible > 0) {
    result.verdict = Verdict::faster_than_links;
    result.reason = fmt::format("{} of {} sizes take less time than their bytes need on the links of {}",
                                impossible, large.size(), result.cluster);
  } else if (width >= rules.widest_interval) {
    result.verdict = Verdict::not_judged;
    result.reason = fmt::format("times of this kind of machine are known to a factor {:.1f} only", width);
  } else if (result.median_ratio >= result.warn && second <= rules.second_largest && !result.table.doubtful &&
             a_ring_explains(question, large)) {
    result.verdict = Verdict::normal;
    result.reason += fmt::format(
        " ({}), but less than a ring takes: between two nodes some releases take one, and the log does not "
        "say its NCCL version",
        large.back()->algorithm);
  } else if (result.median_ratio >= std::max(rules.slow, width)) {
    result.verdict = Verdict::slow;
    result.reason += fmt::format(" (slow from {:.2f})", std::max(rules.slow, width));
  } else if (second > rules.second_largest) {
    result.verdict = Verdict::slow;
    result.reason =
        fmt::format("two sizes of {} and more take over {:.1f} x the expected time, the second {:.1f} x",
                    to_binary_string(rules.latency_below), rules.second_largest, second);
  } else if (result.median_ratio >= result.warn) {
    result.verdict = Verdict::suspicious;
    result.reason += fmt::format(" (suspicious from {:.2f})", result.warn);
  } else if (result.table.doubtful) {
    result.verdict = Verdict::suspicious;
    result.reason = "the log contradicts itself: see the notes";
  } else {
    result.verdict = Verdict::normal;
    result.reason += fmt::format(" (suspicious from {:.2f})", result.warn);
  }
}

}  // namespace

std::vector<const DiagnosedRow*> decisive_rows(const std::vector<DiagnosedRow>& rows,
                                               const DiagnosisRules& rules) {
  std::vector<const DiagnosedRow*> large, any;
  for (const DiagnosedRow& row : rows) {
    if (!row.decides) continue;
    any.push_back(&row);
    if (row.bytes >= rules.decisive_from) large.push_back(&row);
  }
  if (!large.empty()) return large;
  if (any.size() > largest_count) any.erase(any.begin(), any.end() - largest_count);
  return any;
}

void judge(TableDiagnosis& result, const Question& question) {
  const auto large = decisive_rows(result.rows, *question.rules);
  result.warn = warn_level(question);
  if (large.empty()) {
    const bool unsteady = !result.rows.empty() && result.rows.back().bytes >= question.rules->latency_below;
    result.reason =
        unsteady
            ? "in no size do the two columns agree: the machine is not at rest; measure again"
            : fmt::format(
                  "only sizes below {}, whose time is latency, launch and library version: measure up to "
                  "1 GiB (-e 1G)",
                  to_binary_string(question.rules->latency_below));
    return;
  }
  std::vector<double> ratios;
  for (const DiagnosedRow* row : large) ratios.push_back(row->ratio);
  result.median_ratio = median(ratios);
  set_verdict(result, question, large);
  if (result.verdict == Verdict::slow || result.verdict == Verdict::suspicious)
    result.departs = departure(result.rows, result.warn, question.rules->second_largest);
}

}  // namespace paceline::diagnosis
