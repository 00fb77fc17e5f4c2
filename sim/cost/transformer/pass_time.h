// How long a pass takes when nothing else uses its links: kernels, what exchanges add to them, and the host.
#pragma once

#include <array>

#include "sim/cost/transformer/group_times.h"

namespace paceline {

// An exchange taken apart by its Cover, with the kernels that it runs beside.
struct CoveredExchange {
  CollectiveTime time;
  Seconds blocking, beside;  // of its own time: compute waits; runs on
  Seconds kernels;           // beside it
  Seconds window;            // of the kernels beside it, what it can use
  Seconds overlap;           // min(beside, window)
  Seconds longer;            // that each of the two loses: slowdown x overlap
  Seconds sticking_out;      // of `beside`, beyond the window
  [[nodiscard]] Seconds exposed() const { return blocking + sticking_out + longer; }
};

// `step` counts the steps of the pass and must be an exchange.
[[nodiscard]] CoveredExchange cover_of(const Pass& pass, std::size_t step, const GroupTimes& groups);

struct PassTime {
  Seconds kernels;
  Seconds exposed;  // of all exchanges
  Seconds host;
  std::array<Seconds, group_kind_count> exposed_by_group{}, communication_by_group{};
  std::array<double, 3> provenance{};  // seconds of kernels that are modelled, interpolated, measured
  Flops work;

  [[nodiscard]] Seconds device() const { return kernels + exposed; }
  // A layer that the host launches more slowly than the device runs it takes the host's time.
  [[nodiscard]] Seconds total() const { return std::max(device(), host); }
};
[[nodiscard]] PassTime pass_time(const Pass& pass, const GroupTimes& groups);

// Bytes that a rank sends in a pass, by the collectives' closed formulas (the steps of a ring).
[[nodiscard]] Bytes bytes_sent(const Exchange& exchange, int ranks);

}  // namespace paceline
