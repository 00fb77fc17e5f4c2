// One table, four ways to write it: aligned text, Markdown, CSV (RFC 4180), rows of JSON objects.
#pragma once

#include <string>
#include <vector>

namespace paceline {

struct Table {
  struct Column {
    std::string title;
    bool right_aligned = true;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

// Width is counted in code points, so that "µs" and "×" keep columns straight.
std::string to_text(const Table& table);
std::string to_markdown(const Table& table);
std::string to_csv(const Table& table);

}  // namespace paceline
