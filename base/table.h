// One table, three ways to write it: aligned text, Markdown, CSV (quoted as in RFC 4180).
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
  std::vector<std::vector<std::string>> rows;  // each with a cell for every column
};

// Width is counted in code points, so that "µs" and "×" keep columns straight.
std::string to_text(const Table& table);
std::string to_markdown(const Table& table);
std::string to_csv(const Table& table);

}  // namespace paceline
