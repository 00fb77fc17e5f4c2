#include "traces/kineto/byte_source.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "traces/gzip.h"

namespace paceline {
namespace {

struct Content {
  std::string text;
  std::optional<std::string> damage;
};

// Reads in blocks of a size that divides nothing.
Content content_of(std::string_view bytes) {
  const auto source = uncompress(open_memory(bytes));
  Content content;
  std::string block(7, '\0');
  while (const std::size_t count = source->read(block.data(), block.size()))
    content.text.append(block, 0, count);
  content.damage = source->damage();
  return content;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919) + ' ';
  return text;
}

TEST(ByteSource, PlainBytesGoThrough) {
  EXPECT_EQ(content_of("hello").text, "hello");
  EXPECT_EQ(content_of("").text, "");
  EXPECT_EQ(content_of("\x1f").text, "\x1f");
}

TEST(ByteSource, GzipIsKnownByItsFirstBytes) {
  const Content content = content_of(gzip(long_text()));
  EXPECT_EQ(content.text, long_text());
  EXPECT_FALSE(content.damage.has_value());
}

TEST(ByteSource, MembersInARowAreOneText) {
  EXPECT_EQ(content_of(gzip("one ") + gzip("") + gzip("two")).text, "one two");
}

TEST(ByteSource, PaddingAfterTheLastMemberIsIgnored) {
  const Content content = content_of(gzip("text") + std::string(100, '\0'));
  EXPECT_EQ(content.text, "text");
  EXPECT_FALSE(content.damage.has_value());
}

TEST(ByteSource, ACutGivesWhatCameBeforeAndSaysWhereItWas) {
  const std::string whole = gzip(long_text());
  const Content content = content_of(std::string_view(whole).substr(0, whole.size() / 2));
  EXPECT_GT(content.text.size(), long_text().size() / 4);
  EXPECT_TRUE(long_text().starts_with(content.text));
  EXPECT_EQ(content.damage, "the compressed data is cut at byte " + std::to_string(whole.size() / 2));
}

TEST(ByteSource, DamageInTheMiddleEndsTheText) {
  std::string bytes = gzip(long_text());
  for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 20; ++at) bytes[at] = '\xFF';
  const Content content = content_of(bytes);
  ASSERT_TRUE(content.damage.has_value());
  EXPECT_NE(content.damage->find("damaged at byte"), std::string::npos);
}

TEST(ByteSource, AMissingFileIsAnError) { EXPECT_THROW(open_file("/no/such/trace.json"), InputError); }

}  // namespace
}  // namespace paceline
