// A Profile as a table for people.
#pragma once

#include "base/profile.h"
#include "base/table.h"

namespace paceline {

// One row a measurement: what, size, median, spread, rate (FLOP/s, B/s; busbw for collectives), samples.
Table profile_table(const Profile& profile);

// Device, host, date and notes around the table.
std::string profile_report(const Profile& profile);

// Bus bandwidth as nccl-tests defines it: what a link would have to carry whatever the number of ranks.
BytesPerSecond bus_bandwidth(const MeasuredCollective& collective);

}  // namespace paceline
