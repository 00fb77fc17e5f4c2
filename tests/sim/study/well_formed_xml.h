// A check that XML is well formed, as far as our own charts use it: no entities but the five, no CDATA.
#pragma once

#include <string>
#include <vector>

namespace paceline::test {

// What is wrong, or nothing.
inline std::string xml_problem(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  bool any = false;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '&') {
      const std::string entity = text.substr(at, text.find(';', at) + 1 - at);
      if (entity != "&lt;" && entity != "&gt;" && entity != "&amp;" && entity != "&quot;" &&
          entity != "&apos;")
        return "a bare & at " + std::to_string(at);
    }
    if (c == '>') return "a bare > at " + std::to_string(at);
    if (c != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(c))) return "text outside of the root";
      ++at;
      continue;
    }
    // A tag; attribute values may hold anything but < and their own quote.
    char quote = 0;
    std::size_t end = at + 1;
    for (; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      if (text[end] == '<') return "a < inside a tag at " + std::to_string(end);
      if (text[end] == '"' || text[end] == '\'')
        quote = quote == 0 ? text[end] : quote == text[end] ? '\0' : quote;
    }
    if (end >= text.size()) return "a tag that never ends at " + std::to_string(at);
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/'));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('?') && !tag.starts_with('!')) {
      if (open.empty() && any) return "a second root <" + name + ">";
      any = true;
      open.push_back(name);
    }
    at = end + 1;
  }
  if (!open.empty()) return "<" + open.back() + "> is never closed";
  return any ? "" : "no element";
}

}  // namespace paceline::test
