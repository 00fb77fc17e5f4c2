#include "base/table.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

const Table times{{{"name", false}, {"time"}}, {{"conv", "12 µs"}, {"all-reduce", "3 ms"}}};

TEST(Table, TextIsAlignedByCodePoints) {
  EXPECT_EQ(to_text(times),
            "name         time\n"
            "conv        12 µs\n"
            "all-reduce   3 ms\n");
}

TEST(Table, TextHasNoSpacesAtTheEndOfALine) {
  const Table table{{{"a", false}, {"b", false}}, {{"x", "long"}, {"y", ""}}};
  EXPECT_EQ(to_text(table), "a  b\nx  long\ny\n");
}

TEST(Table, WithoutRowsIsItsTitles) {
  const Table table{{{"a", false}, {"b"}}, {}};
  EXPECT_EQ(to_text(table), "a  b\n");
  EXPECT_EQ(to_markdown(table), "| a | b |\n| --- | ---: |\n");
  EXPECT_EQ(to_csv(table), "a,b\n");
}

TEST(Table, MarkdownAlignsNumbersRight) {
  EXPECT_EQ(to_markdown(times),
            "| name | time |\n"
            "| --- | ---: |\n"
            "| conv | 12 µs |\n"
            "| all-reduce | 3 ms |\n");
}

TEST(Table, MarkdownEscapesWhatWouldEndACellOrARow) {
  const Table table{{{"a|b", false}}, {{"|x|"}, {"two\nlines"}}};
  EXPECT_EQ(to_markdown(table), "| a\\|b |\n| --- |\n| \\|x\\| |\n| two<br>lines |\n");
}

TEST(Table, CsvQuotesCommasQuotesAndLineBreaks) {
  const Table table{{{"a", false}, {"b, c", false}},
                    {{"plain", "say \"no\""}, {"1,5", ""}, {"two\nlines", "a\rb"}, {"a|b", " spaces "}}};
  EXPECT_EQ(to_csv(table),
            "a,\"b, c\"\n"
            "plain,\"say \"\"no\"\"\"\n"
            "\"1,5\",\n"
            "\"two\nlines\",\"a\rb\"\n"
            "a|b, spaces \n");
}

}  // namespace
}  // namespace paceline
