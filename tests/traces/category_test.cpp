#include "traces/category.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(Category, WordsOfAllGenerationsInAnyLetterCase) {
  EXPECT_EQ(family_of("kernel", "gemm"), Family::kernel);
  EXPECT_EQ(family_of("Kernel", "gemm"), Family::kernel);
  EXPECT_EQ(family_of("gpu_memcpy", "Memcpy HtoD"), Family::copy);
  EXPECT_EQ(family_of("Memcpy", "Memcpy HtoD"), Family::copy);
  EXPECT_EQ(family_of("GPU_MEMSET", "Memset"), Family::set);
  EXPECT_EQ(family_of("Operator", "aten::mm"), Family::host);
  EXPECT_EQ(family_of("python_function", "train.py(3)"), Family::host);
  EXPECT_EQ(family_of("cuda_driver", "cuLaunchKernel"), Family::runtime);
  EXPECT_EQ(family_of("cuda_sync", "Event Sync"), Family::sync);
  EXPECT_EQ(family_of("Trace", "PyTorch Profiler (0)"), Family::other);
}

TEST(Category, KernelsThatMoveDataBetweenDevicesAreCommunicationWhateverTheLibrary) {
  for (const char* name : {"ncclDevKernel_AllReduce_Sum_f16_RING_LL", "ncclKernel_AllGather",
                           "rcclGenericKernel", "void deep_ep::intranode::dispatch<8>", "dpsk::ep::combine",
                           "nvshmemi_transfer", "mscclpp::allreduce", "cross_device_reduce_2stage",
                           "one_shot_all_reduce_kernel", "two_shot_all_reduce_kernel",
                           "multimem_all_gather_kernel", "allreduce_fusion_kernel", "QuickReduce::twoshot"})
    EXPECT_EQ(family_of("kernel", name), Family::communication) << name;
  EXPECT_EQ(family_of("kernel", "reduce_kernel<512, 1>"), Family::kernel);
  // Only kernels: the host operator of a collective is host work.
  EXPECT_EQ(family_of("cpu_op", "nccl:all_reduce"), Family::host);
}

TEST(Category, StepsAreMarkedOnTheHostOnly) {
  EXPECT_EQ(family_of("user_annotation", "ProfilerStep#12"), Family::step);
  EXPECT_EQ(family_of("Operator", "ProfilerStep#12"), Family::step);
  EXPECT_EQ(family_of("gpu_user_annotation", "ProfilerStep#12"), Family::annotation);
  EXPECT_EQ(family_of("user_annotation", "Optimizer.step"), Family::annotation);
}

TEST(Category, EveryFamilyHasANameThatStandsOnTheRightRow) {
  EXPECT_TRUE(is_device_category(category_of(Family::communication, TrackKind::device_stream)));
  EXPECT_TRUE(is_device_category(category_of(Family::annotation, TrackKind::device_stream)));
  EXPECT_FALSE(is_device_category(category_of(Family::annotation, TrackKind::host_thread)));
  EXPECT_FALSE(is_device_category(category_of(Family::step, TrackKind::host_thread)));
}

}  // namespace
}  // namespace paceline
