#include "sim/cost/measured_collective.h"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

// Shares by which a time may be off: of a measured size, what repetitions scatter by; between sizes, what
// nine of ten points of published tables were missed by when every other size was given (7 to 15 %); beyond
// them a guess of twice that.
constexpr double measured_width = 0.05, between_width = 0.12, beyond_width = 0.25;

}  // namespace

MeasuredTable::MeasuredTable(const std::vector<MeasuredCollective>& rows, CollectiveKind kind,
                             const CollectiveGroup& group) {
  for (const MeasuredCollective& row : rows) {
    if (collective_kind(row.kind) != kind || row.ranks != group.ranks || row.nodes != group.nodes()) continue;
    if (times_.empty()) transport_ = row.transport;
    if (row.transport == transport_) times_[row.bytes.value()] = row.time.median.value();
  }
  const auto library = parse_library(transport_);
  on_device_ = library && library->name != LibraryName::gloo && library->name != LibraryName::mpi;
}

double MeasuredTable::between(double size, const std::function<CollectiveTime(Bytes)>& law) const {
  const auto above = times_.lower_bound(size);
  const auto below = std::prev(above);
  const double position = std::log(size / below->first) / std::log(above->first / below->first);
  const auto mix = [position](double first, double second) {
    return first * std::pow(second / first, position);
  };
  if (!on_device_) return mix(below->second, above->second);
  const auto ratio = [&](const auto& row) { return row.second / law(Bytes(row.first)).total().value(); };
  return law(Bytes(size)).total().value() * mix(ratio(*below), ratio(*above));
}

CollectiveTime MeasuredTable::time(Bytes message, const std::function<CollectiveTime(Bytes)>& law) const {
  const double size = message.value();
  const auto exact = times_.find(size);
  const auto &first = *times_.begin(), &last = *times_.rbegin();
  CollectiveTime time;
  if (on_device_) time = law(message);
  double seconds = 0;
  if (exact != times_.end()) {
    seconds = exact->second;
    time.provenance = Provenance::measured;
  } else if (size < first.first) {
    seconds = first.second;
    time.extrapolated = on_device_;
    if (on_device_) seconds *= law(message).total().value() / law(Bytes(first.first)).total().value();
    if (!on_device_) time.provenance = Provenance::interpolated;
  } else if (size > last.first) {
    seconds = on_device_ ? last.second * law(message).total().value() / law(Bytes(last.first)).total().value()
                         : last.second * size / last.first;
    time.extrapolated = true;
  } else {
    seconds = between(size, law);
    time.provenance = Provenance::interpolated;
  }
  if (!on_device_) time.algorithm = transport_;
  const double width = time.provenance == Provenance::measured ? measured_width
                       : time.extrapolated                     ? beyond_width
                                                               : between_width;
  time.low = 1 - width;
  time.high = 1 + width;
  time.latency = Seconds(0);
  if (!(time.wire > Bytes(0))) time.wire = message;
  time.rate = time.wire / Seconds(seconds);
  return time;
}

}  // namespace paceline
