#include "base/table.h"

#include <algorithm>

namespace paceline {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::size_t width = width_of(table.columns[column].title);
    for (const auto& row : table.rows) width = std::max(width, width_of(row[column]));
    widths.push_back(width);
  }
  return widths;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// A bar would end the cell, a line break the row.
std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : c == '\n' ? "<br>" : std::string(1, c);
  return cell;
}

}  // namespace

std::string to_text(const Table& table) {
  const auto widths = column_widths(table);
  std::string text;
  const auto add_line = [&](const auto& cell) {
    std::string line;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (column > 0) line += "  ";
      line += padded(cell(column), widths[column], table.columns[column].right_aligned);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([&](std::size_t column) { return table.columns[column].title; });
  for (const auto& row : table.rows) add_line([&](std::size_t column) { return row[column]; });
  return text;
}

std::string to_markdown(const Table& table) {
  std::string text = "|";
  for (const auto& column : table.columns) text += " " + markdown_cell(column.title) + " |";
  text += "\n|";
  for (const auto& column : table.columns) text += column.right_aligned ? " ---: |" : " --- |";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const auto& cell : row) text += " " + markdown_cell(cell) + " |";
    text += "\n";
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    text += (column ? "," : "") + csv_cell(table.columns[column].title);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += (column ? "," : "") + csv_cell(row[column]);
    text += "\n";
  }
  return text;
}

}  // namespace paceline
