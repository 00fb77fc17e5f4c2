#include "base/error.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

std::string input_error(const char* found, const char* expected, const char* remedy) {
  return InputError("a.json: /x", found, expected, remedy).what();
}

TEST(InputError, SaysWhereWhatWasFoundWhatWasExpectedAndTheRemedy) {
  EXPECT_EQ(input_error("-1", "at least 1", "use more"),
            "a.json: /x: found -1, expected at least 1; use more");
}

TEST(InputError, LeavesOutWhatItDoesNotKnow) {
  EXPECT_EQ(input_error("-1", "at least 1", ""), "a.json: /x: found -1, expected at least 1");
  EXPECT_EQ(input_error("", "a file", "name one"), "a.json: /x: expected a file; name one");
  EXPECT_EQ(input_error("nothing", "", ""), "a.json: /x: found nothing");
}

TEST(Error, KnowsTheExitCodeOfItsKind) {
  EXPECT_EQ(InputError("", "", "", "").exit_code(), ExitCode::bad_input);
  EXPECT_EQ(DeviceError("", "", "").exit_code(), ExitCode::hardware_missing);
  EXPECT_EQ(TraceError("", "", 0, "").exit_code(), ExitCode::bad_input);
}

TEST(DeviceError, NamesTheCallAndTheRemedy) {
  EXPECT_STREQ(DeviceError("cuInit", "CUDA_ERROR_NO_DEVICE", "use --device cpu").what(),
               "cuInit: CUDA_ERROR_NO_DEVICE; use --device cpu");
  EXPECT_STREQ(DeviceError("cuInit", "CUDA_ERROR_NO_DEVICE", "").what(), "cuInit: CUDA_ERROR_NO_DEVICE");
}

TEST(TraceError, NamesTheFormatAndTheByte) {
  EXPECT_STREQ(TraceError("t.json", "Chrome JSON", 17, "no traceEvents").what(),
               "t.json: not readable as Chrome JSON at byte 17: no traceEvents");
}

}  // namespace
}  // namespace paceline
