// A profile's table of one collective in one group, which bends the law between its sizes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/cost/collective_cost.h"

namespace paceline {

class MeasuredTable {
 public:
  // Of the rows those of this kind, with as many ranks on as many nodes; of several transports the first
  // counts. Fewer than two sizes make no table.
  MeasuredTable(const std::vector<MeasuredCollective>& rows, CollectiveKind kind,
                const CollectiveGroup& group);

  [[nodiscard]] bool empty() const { return times_.size() < 2; }

  // Exact sizes are measured. Between two sizes the ratio of measured to modelled time is interpolated in the
  // logarithm of the size; libraries that run on the hosts have no law worth bending, so the times themselves
  // are. Beyond the table the ratio at its end holds on, and the time is marked as extrapolated; of a host
  // library a smaller message takes the smallest time, which latency dominates.
  [[nodiscard]] CollectiveTime time(Bytes message, const std::function<CollectiveTime(Bytes)>& law) const;

 private:
  [[nodiscard]] double between(double size, const std::function<CollectiveTime(Bytes)>& law) const;

  std::map<double, double> times_;  // seconds by bytes
  std::string transport_;
  bool on_device_ = false;  // a library whose choice of algorithm is modelled
};

}  // namespace paceline
