// The library's environment variables, with its syntax.
#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/collective/collective.h"
#include "tests/sim/support/refusal.h"

namespace paceline {
namespace {

constexpr CollectiveKind all_reduce = CollectiveKind::all_reduce;

CollectiveSettings with(const std::string& name, const std::string& value, CollectiveKind kind = all_reduce) {
  CollectiveSettings settings;
  EXPECT_TRUE(set_environment(settings, kind, name, value));
  return settings;
}

TEST(Environment, ListsAndExclusions) {
  const CollectiveSettings listed = with("NCCL_ALGO", "Ring,TREE");
  EXPECT_TRUE(listed.allows(Algorithm::ring));
  EXPECT_TRUE(listed.allows(Algorithm::tree));
  EXPECT_FALSE(listed.allows(Algorithm::nvls));
  const CollectiveSettings excluded = with("NCCL_PROTO", "^LL128");
  EXPECT_TRUE(excluded.allows(Protocol::ll));
  EXPECT_FALSE(excluded.allows(Protocol::ll128));
  EXPECT_TRUE(excluded.allows(Protocol::simple));
}

TEST(Environment, PartsForACollective) {
  const std::string value = "allreduce:tree;allgather:^pat";
  EXPECT_FALSE(with("NCCL_ALGO", value).allows(Algorithm::ring));
  EXPECT_TRUE(with("NCCL_ALGO", value, CollectiveKind::all_gather).allows(Algorithm::ring));
  EXPECT_FALSE(with("NCCL_ALGO", value, CollectiveKind::all_gather).allows(Algorithm::pat));
  EXPECT_TRUE(with("NCCL_ALGO", value, CollectiveKind::reduce_scatter).allows(Algorithm::pat));
}

TEST(Environment, SwitchesAndLimits) {
  EXPECT_FALSE(with("NCCL_NVLS_ENABLE", "0").nvls);
  EXPECT_FALSE(with("NCCL_NVLS_ENABLE", "0").allows(Algorithm::nvls_tree));
  EXPECT_TRUE(with("NCCL_NVLS_ENABLE", "2").nvls);
  EXPECT_FALSE(with("NCCL_P2P_DISABLE", "1").peer_to_peer);
  EXPECT_FALSE(with("NCCL_P2P_LEVEL", "LOC").peer_to_peer);
  EXPECT_TRUE(with("NCCL_P2P_LEVEL", "SYS").peer_to_peer);
  EXPECT_FALSE(with("NCCL_IB_DISABLE", "1").rdma);
  EXPECT_TRUE(with("NCCL_COLLNET_ENABLE", "1").collnet);
  EXPECT_EQ(with("NCCL_MAX_NCHANNELS", "4").max_channels, 4);
  EXPECT_EQ(with("NCCL_MIN_CTAS", "8").min_channels, 8);
}

TEST(Environment, OthersAreNotModelled) {
  CollectiveSettings settings;
  EXPECT_FALSE(set_environment(settings, all_reduce, "NCCL_DEBUG", "INFO"));
}

TEST(Environment, WrongValuesNameTheVariable) {
  const auto refused = [](const char* name, const char* value) {
    return test::refusal([&] {
      CollectiveSettings settings;
      return set_environment(settings, all_reduce, name, value);
    });
  };
  EXPECT_EQ(
      refused("NCCL_PROTO", "LL129"),
      "NCCL_PROTO: found \"ll129\", expected one of LL, LL128, Simple; correct the variable, or leave it "
      "out for the library's own choice");
  EXPECT_EQ(refused("NCCL_MAX_NCHANNELS", "65"),
            "NCCL_MAX_NCHANNELS: found \"65\", expected a whole number from 1 to 64; correct the variable");
}

TEST(Names, OfCollectivesTypesAndLibraries) {
  EXPECT_EQ(collective_kind("AllReduce"), all_reduce);
  EXPECT_EQ(collective_kind("alltoall"), CollectiveKind::all_to_all);
  EXPECT_EQ(collective_kind("alltoallv"), CollectiveKind::all_to_all);
  EXPECT_FALSE(collective_kind("scan"));
  for (const std::string& name : collective_names()) EXPECT_EQ(to_string(*collective_kind(name)), name);
  EXPECT_EQ(data_type("half"), DataType::fp16);
  EXPECT_EQ(data_type("fp8_e4m3"), DataType::fp8);
  EXPECT_EQ(size_of(DataType::fp64), Bytes(8));
  EXPECT_EQ(parse_library("NCCL 2.27.7")->version, 22707);
  EXPECT_EQ(parse_library("nccl 2.18")->version, 21800);
  EXPECT_EQ(parse_library("RCCL (2023-10)")->name, LibraryName::rccl);
  EXPECT_FALSE(parse_library("RCCL")->version);
  EXPECT_EQ(parse_library("Gloo tcp")->name, LibraryName::gloo);
  EXPECT_FALSE(parse_library("unknown"));
}

}  // namespace
}  // namespace paceline
