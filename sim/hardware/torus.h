// A torus of devices, as TPU pods are built: each device has links to its neighbours along every dimension.
#pragma once

#include <vector>

#include "base/quantity.h"

namespace paceline {

struct TorusDimension {
  int size = 1;
  bool wrap = true;     // the last device is linked to the first; needs three devices to differ
  BytesPerSecond rate;  // of one link, one direction
};
// Device d stands at d mod size 0, (d / size 0) mod size 1, ...: the first dimension varies fastest.
using Torus = std::vector<TorusDimension>;

[[nodiscard]] int device_count(const Torus& torus);

// The rate at which a device sends in an all-reduce, as a ring over all n devices would have to send to be as
// fast: volume (n-1)/n of the message for each half. The message is cut into as many parts as there are
// dimensions; each part is reduced along one dimension after the other, part i beginning with dimension i, in
// both directions of every ring at once, so that all links work all the time. Every part and dimension has
// its own load, and the slowest dimension decides. Equal wrapped dimensions give all links: 2 x dimensions x
// rate. A dimension without wrap moves as much over half as many ways. Zero for a single device.
[[nodiscard]] BytesPerSecond torus_ring_rate(const Torus& torus);

// The part of the torus that devices 0 ... n-1 fill: whole leading dimensions and a stretch of the next,
// which does not wrap. Empty if they fill no box.
[[nodiscard]] Torus leading_box(const Torus& torus, int devices);

}  // namespace paceline
