#include "traces/kineto/json_repair.h"

#include <algorithm>

#include "traces/chrome/json_output.h"
#include "traces/kineto/json_token.h"

namespace paceline {
namespace {

class Repairer {
 public:
  explicit Repairer(std::string_view text) : text_(text) { result_.text.reserve(text.size() + 64); }

  RepairedJson run() {
    while (at_ < text_.size()) item();
    close_all();
    return std::move(result_);
  }

 private:
  void item() {
    const char c = text_[at_];
    if (is_json_space(c)) {
      ++at_;
    } else if (c == '"') {
      string();
    } else if (c == '{' || c == '[') {
      separate();
      open_ += c;
      emit(c);
    } else if (c == '}' || c == ']') {
      close(c);
    } else if (c == ',' || c == ':') {
      punctuation(c);
    } else {
      word();
    }
  }

  void found(Finding finding) {
    if (std::find(result_.findings.begin(), result_.findings.end(), finding) == result_.findings.end())
      result_.findings.push_back(finding);
  }
  void emit(char c) {
    result_.text += c;
    last_ = c;
    ++at_;
  }
  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back() == '{' && (last_ == '{' || last_ == ',');
  }
  [[nodiscard]] bool after_value() const {
    return last_ == '"' || last_ == '0' || last_ == '}' || last_ == ']';
  }

  // Puts the comma that is missing before a value.
  void separate() {
    if (!after_value()) return;
    found(Finding::misplaced_comma);
    result_.text += ',';
    last_ = ',';
  }

  void punctuation(char c) {
    if (c == ',' && !after_value()) {
      if (last_ == ':') {
        result_.text += "null";
      } else {
        found(Finding::misplaced_comma);
        ++at_;
        return;
      }
    }
    emit(c);
  }

  void end_container(char closing) {
    if (last_ == ',') {
      found(Finding::misplaced_comma);
      result_.text.pop_back();
    }
    if (last_ == ':') result_.text += "null";
    result_.text += closing;
    last_ = closing;
    open_.pop_back();
  }

  void close(char c) {
    ++at_;
    const std::size_t match = open_.rfind(c == '}' ? '{' : '[');
    if (match == std::string::npos || match + 1 != open_.size()) found(Finding::misplaced_bracket);
    if (match == std::string::npos) return;
    while (open_.size() > match) end_container(open_.back() == '{' ? '}' : ']');
  }

  void close_all() {
    while (!open_.empty()) {
      found(Finding::unclosed_record);
      end_container(open_.back() == '{' ? '}' : ']');
    }
  }

  void word() {
    separate();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \n\r\t,:{}[]\"").find(text_[at_]) == std::string_view::npos)
      ++at_;
    const std::string_view token = text_.substr(begin, at_ - begin);
    last_ = '0';
    if (!expects_key() && (is_json_number(token) || token == "true" || token == "false" || token == "null")) {
      result_.text += token;
      return;
    }
    found(looks_like_number(token) ? Finding::bad_number : Finding::bare_word);
    append_json_string(result_.text, token);
  }

  void string() {
    separate();
    const bool key = expects_key();
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && !(text_[at_] == '"' && ends_string(key))) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    result_.text += '"';
    append_characters(text_.substr(begin, at_ - begin));
    result_.text += '"';
    last_ = '"';
    ++at_;
  }

  // Whether the quote at at_ ends its string: what follows must be what can follow it.
  [[nodiscard]] bool ends_string(bool key) const {
    const std::size_t next = skip_space(at_ + 1);
    if (next >= text_.size()) return true;
    if (key) return text_[next] == ':';
    const bool object = open_.empty() || open_.back() == '{';
    if (text_[next] == '}' || text_[next] == ']') return true;
    if (object && text_[next] == '"') return key_or_end_follows(next);  // the comma is missing
    return text_[next] == ',' && (!object || key_or_end_follows(next + 1));
  }
  [[nodiscard]] bool key_or_end_follows(std::size_t at) const {
    at = skip_space(at);
    if (at >= text_.size() || text_[at] == '}') return true;
    if (text_[at] != '"') return false;
    const std::size_t end = text_.find('"', at + 1);
    if (end == std::string_view::npos) return false;
    const std::size_t colon = skip_space(end + 1);
    return colon < text_.size() && text_[colon] == ':';
  }
  [[nodiscard]] std::size_t skip_space(std::size_t at) const {
    while (at < text_.size() && is_json_space(text_[at])) ++at;
    return at;
  }

  void append_characters(std::string_view inside) {
    const StringInspection inspection = clean_string(inside);
    if (inspection.control) found(Finding::control_character);
    if (inspection.quote) found(Finding::stray_quote);
    if (inspection.escape) found(Finding::bad_escape);
    if (inspection.bytes) found(Finding::invalid_utf8);
    result_.text += inspection.text;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;
  char last_ = 0;  // last character written that matters; '0' for any word
  RepairedJson result_;
};

}  // namespace

RepairedJson repair_json(std::string_view text) { return Repairer(text).run(); }

}  // namespace paceline
