// The fuzz entries on a fixed set of damaged files: a few seconds, the same on every run and every compiler.
#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <sstream>

#include "sim/hardware/topo_matrix.h"
#include "sim/model/hugging_face/hugging_face.h"
#include "sim/study/nccl_tests/nccl_tests_profile.h"
#include "tests/fuzz/fuzz_entries.h"
#include "tests/fuzz/fuzz_seeds.h"
#include "tests/fuzz/mutate.h"
#include "tests/traces/sample_trace.h"
#include "traces/chrome/chrome_writer.h"
#include "traces/gzip.h"
#include "traces/kineto/kineto_reader.h"

namespace paceline {
namespace {

template <class Entry>
void run(const std::string& seed_text, std::uint64_t count, Entry entry) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const std::string damaged = mutate(seed_text, seed);
    try {
      entry(damaged);
    } catch (const std::exception& error) {
      FAIL() << "seed " << seed << ": " << error.what();
    }
  }
}

TEST(Fuzz, KinetoTraces) { run(sample_trace(2).text, 1500, fuzz_trace); }

TEST(Fuzz, TracesOfOurOwn) {
  run(to_chrome_json(read_trace_bytes(sample_trace(1).text, "trace.json").timeline), 1000, fuzz_trace);
}

TEST(Fuzz, CompressedTraces) { run(gzip(sample_trace(20).text), 200, fuzz_trace); }

TEST(Fuzz, CheckedJson) { run(seed_json(), 3000, fuzz_json); }

TEST(Fuzz, Profiles) {
  const std::string file = testing::TempDir() + "/fuzz_profile.json";
  run(seed_profile(), 800, [&](std::string_view bytes) { fuzz_profile(bytes, file.c_str()); });
}

TEST(Fuzz, LogsOfNcclTests) { run(seed_nccl_tests(), 3000, fuzz_nccl_tests); }

TEST(Fuzz, JsonOfNcclTests) { run(seed_nccl_tests_json(), 1500, fuzz_nccl_tests); }

TEST(Fuzz, TopologyMatrices) { run(seed_topo(), 3000, fuzz_topo); }

TEST(Fuzz, HuggingFaceConfigs) { run(seed_hugging_face(), 3000, fuzz_hugging_face); }

TEST(Fuzz, TheSeedsThemselvesAreGood) {
  EXPECT_EQ(read_hugging_face(JsonValue::parse_text(seed_hugging_face(), "config.json"))
                .recipe.resolve({})
                .sequence,
            128);
  EXPECT_NO_THROW(fuzz_trace(sample_trace(2).text));
  EXPECT_NO_THROW(fuzz_json(seed_json()));
  std::istringstream log(seed_nccl_tests()), json(seed_nccl_tests_json());
  EXPECT_EQ(to_profile(read_nccl_tests(log, "seed.log"), {}).collectives.size(), 3U);
  EXPECT_EQ(to_profile(read_nccl_tests(json, "seed.json"), {}).collectives.size(), 4U);
  EXPECT_NO_THROW(fuzz_topo(seed_topo()));
  EXPECT_EQ(read_topo_matrix(seed_topo(), "topo.txt").gpus, 4);
  EXPECT_NO_THROW(fuzz_profile(seed_profile(), (testing::TempDir() + "/fuzz_profile.json").c_str()));
}

TEST(Mutate, DependsOnTextAndSeedOnly) {
  EXPECT_EQ(mutate("some text to damage", 7), mutate("some text to damage", 7));
  EXPECT_NE(mutate(std::string(200, 'x'), 1), mutate(std::string(200, 'x'), 2));
}

}  // namespace
}  // namespace paceline
