// Counts what the engine allocates: a run that handles many times the events must not ask the heap more
// often.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "sim/engine/engine.h"
#include "tests/bench/works.h"

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace paceline {
namespace {

std::size_t allocations_of_run(const Program& program) {
  const std::size_t before = allocations;
  const Schedule schedule = run(program);
  EXPECT_GT(schedule.events, 0U);
  return allocations - before;
}

TEST(EngineAllocations, DoNotGrowWithTheNumberOfEvents) {
  EXPECT_EQ(allocations_of_run(bench::many_kernels(4, 64, 0.1)),
            allocations_of_run(bench::many_kernels(4, 4096, 0.1)));
}

TEST(EngineAllocations, DoNotGrowWhenRatesAreWorkedOutAgainAndAgain) {
  EXPECT_EQ(allocations_of_run(bench::shared_copies(8, 4)), allocations_of_run(bench::shared_copies(8, 400)));
}

}  // namespace
}  // namespace paceline
