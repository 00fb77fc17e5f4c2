// The fixed works that the engine is measured with, and what they must take.
#pragma once

#include <cstdint>

#include "sim/plan/program.h"

namespace paceline::bench {

// A ring over N ranks, each with a link of 50 GB/s: 2 (N - 1) steps of 500 ns and 1/N of the message.
[[nodiscard]] Seconds ring_all_reduce_time(std::uint32_t ranks, Bytes message);

// Work 1: one ring all-reduce of 1 GiB.
[[nodiscard]] Program one_all_reduce(std::uint32_t ranks);
[[nodiscard]] Seconds one_all_reduce_time(std::uint32_t ranks);

// Work 2: a data-parallel step. Forward 50 ms; backward in 40 pieces of 2.5 ms, each of which releases an
// all-reduce of 25 MiB on a communication stream; the optimizer, 5 ms, waits for all of them.
[[nodiscard]] Program data_parallel_step(std::uint32_t ranks);
[[nodiscard]] Seconds data_parallel_step_time(std::uint32_t ranks);

// Work 3: many short operations. On each rank `kernels` kernels, each launched by an operation of the host;
// after every sixteenth all ranks meet in an all-reduce of 64 KiB beside the next sixteen, and the sixteen
// after those wait for it. Meanwhile compute loses `slowdown` of its speed.
[[nodiscard]] Program many_kernels(std::uint32_t ranks, std::uint32_t kernels, double slowdown);

// Work 4: each rank makes `copies` copies, one after the other and no two of the same size, through a slot of
// its own and a host bridge that all share. Every start and every end changes everybody's rate.
[[nodiscard]] Program shared_copies(std::uint32_t ranks, std::uint32_t copies);

}  // namespace paceline::bench
