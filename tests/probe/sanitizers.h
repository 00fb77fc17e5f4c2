// The thread sanitizer sees neither into OpenBLAS nor across a fork.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define PACELINE_SKIP_UNDER_TSAN() \
  GTEST_SKIP() << "the thread sanitizer sees neither into OpenBLAS nor across a fork"
#else
#define PACELINE_SKIP_UNDER_TSAN() static_cast<void>(0)
#endif
