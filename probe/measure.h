// How long something takes, and how sure that is: warm-up, repetition, order statistics.
//
// Nothing here reads a clock of its own: the clock and the timed run are handed in, so that tests can move
// time by hand and the same statistics serve CPU clocks, CUDA events and rings of processes.
#pragma once

#include <functional>
#include <vector>

#include "base/profile.h"
#include "base/quantity.h"

namespace paceline {

// Time since some fixed moment.
using Clock = std::function<Seconds()>;
Clock steady_clock();

// Runs an operation `repetitions` times in a row and returns how long all of them took together.
using TimedRun = std::function<Seconds(int repetitions)>;

// A TimedRun that reads `clock` before and after the operation.
TimedRun timed_by(const Clock& clock, std::function<void(int repetitions)> operation);

// How long to try and how sure to be.
struct Effort {
  Seconds warm_up_limit{0.5};                // warm-up ends when times are stable, or here
  Seconds budget{1.5};                       // sampling ends when the median is sure, or here
  Seconds least_sample = microseconds(200);  // shorter runs are repeated until a sample takes this long
  double precision = 0.01;                   // relative half width of the median's 95 % interval to reach
  int least_samples = 10;                    // before precision is believed
  int most_samples = 1000;
};
Effort full_effort();
Effort quick_effort();

// Warms up, samples until the median is known to `effort.precision` or the budget is spent (three samples at
// least), and summarises the time of one repetition.
Measurement measure(const TimedRun& run, const Clock& clock, const Effort& effort);

// Half width of the distribution-free 95 % interval of the median, over the median. With fewer than six
// values no such interval exists and the range stands in for it. Precondition: not empty.
double relative_half_width(std::vector<double> values);

// Precondition: not empty. Marked noisy if the median is not known within 5 %, or if p5 and p95 lie more than
// 33 % of it apart, as they do for normal samples with a standard deviation of 10 %.
Measurement summarise(const std::vector<double>& seconds);

}  // namespace paceline
