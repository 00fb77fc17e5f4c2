#include "base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "base/json_document.h"

namespace paceline {

struct JsonValue::Document {
  std::string file;
  nlohmann::json root;
};

namespace {

// A value as it should appear in a message: short, and telling its kind.
std::string shown(const nlohmann::json& node) {
  if (node.is_object()) return node.empty() ? "an empty object" : "an object";
  if (node.is_array()) return fmt::format("an array of {}", node.size());
  std::string text = node.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() <= 60) return text;
  std::size_t length = 57;
  while ((text[length] & 0xC0) == 0x80) --length;  // not in the middle of a letter
  return text.substr(0, length) + "...";
}

// Bounds that the type implies are not worth a word.
template <class Number>
std::string expected_in(const char* what, Number minimum, Number maximum) {
  using Limits = std::numeric_limits<Number>;
  const bool has_minimum = minimum > Limits::lowest(), has_maximum = maximum < Limits::max();
  if (has_minimum && has_maximum) return fmt::format("{} from {} to {}", what, minimum, maximum);
  if (has_minimum) return fmt::format("{} of at least {}", what, minimum);
  if (has_maximum) return fmt::format("{} of at most {}", what, maximum);
  return what;
}

}  // namespace

JsonValue::JsonValue(std::shared_ptr<const Document> document, const nlohmann::json* node,
                     std::string pointer)
    : document_(std::move(document)), node_(node), pointer_(std::move(pointer)) {}

JsonValue JsonValue::parse_file(const std::string& file) { return parse_text(read_file(file), file); }

JsonValue JsonValue::parse_text(std::string_view text, const std::string& file) {
  auto document = std::make_shared<Document>();
  document->file = file;
  document->root = parse_json(text, file);
  const nlohmann::json* root = &document->root;
  return {std::move(document), root, ""};
}

bool JsonValue::is_object() const { return node_->is_object(); }
bool JsonValue::is_array() const { return node_->is_array(); }
bool JsonValue::is_string() const { return node_->is_string(); }
bool JsonValue::is_null() const { return node_->is_null(); }
bool JsonValue::is_number() const { return node_->is_number(); }

std::string JsonValue::where() const {
  return fmt::format("{}: {}", document_->file, pointer_.empty() ? "/" : pointer_);
}

void JsonValue::fail(const std::string& expected, const std::string& remedy) const {
  throw InputError(where(), shown(*node_), expected, remedy);
}

JsonObject JsonValue::object() const {
  if (!node_->is_object()) fail("an object");
  return JsonObject(*this);
}

std::vector<JsonValue> JsonValue::array() const {
  if (!node_->is_array()) fail("an array");
  std::vector<JsonValue> items;
  items.reserve(node_->size());
  for (std::size_t index = 0; index < node_->size(); ++index)
    items.push_back(JsonValue(document_, &(*node_)[index], fmt::format("{}/{}", pointer_, index)));
  return items;
}

std::string JsonValue::string() const {
  if (!node_->is_string()) fail("a string");
  return node_->get<std::string>();
}

bool JsonValue::boolean() const {
  if (!node_->is_boolean()) fail("true or false");
  return node_->get<bool>();
}

double JsonValue::number(double minimum, double maximum) const {
  if (!node_->is_number()) fail("a number");
  const double value = node_->get<double>();
  if (value >= minimum && value <= maximum) return value;
  fail(expected_in("a number", minimum, maximum));
}

std::int64_t JsonValue::integer(std::int64_t minimum, std::int64_t maximum) const {
  const std::string expected = expected_in("a whole number", minimum, maximum);
  if (!node_->is_number()) fail(expected);
  // Through double first: get<int64_t> would wrap 2^63 and cut 1.5 in silence.
  const double value = node_->get<double>();
  constexpr double limit = 9.2e18;
  if (std::abs(value) > limit) fail("a whole number below 9.2e18");
  if (value != std::floor(value)) fail(expected);
  const std::int64_t whole =
      node_->is_number_integer() ? node_->get<std::int64_t>() : static_cast<std::int64_t>(value);
  if (whole < minimum || whole > maximum) fail(expected);
  return whole;
}

template <class Q>
Q JsonValue::quantity() const {
  if (node_->is_number()) return Q(number(0));
  if (!node_->is_string()) fail("a number in SI units or a string with a unit");
  std::optional<Q> value;
  try {
    value = parse_quantity<Q>(node_->get<std::string>());
  } catch (const std::invalid_argument&) {
    fail(quantity_words<Q>(), "write a number followed by its unit");
  }
  if (value->value() < 0) fail("a quantity that is not negative");
  return *value;
}
template Seconds JsonValue::quantity<Seconds>() const;
template Bytes JsonValue::quantity<Bytes>() const;
template Flops JsonValue::quantity<Flops>() const;
template BytesPerSecond JsonValue::quantity<BytesPerSecond>() const;
template FlopsPerSecond JsonValue::quantity<FlopsPerSecond>() const;

std::size_t JsonValue::choice(const std::vector<std::string>& words) const {
  const std::string word = string();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const auto nearest = nearest_word(word, words);
  fail(fmt::format("one of {}", fmt::join(words, ", ")),
       nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "");
}

JsonObject::JsonObject(JsonValue value) : value_(std::move(value)) {}

std::optional<JsonValue> JsonObject::optional(const std::string& name) {
  known_.insert(name);
  const auto found = value_.node_->find(name);
  if (found == value_.node_->end() || found->is_null()) return std::nullopt;
  return JsonValue(value_.document_, &*found, fmt::format("{}/{}", value_.pointer_, pointer_token(name)));
}

JsonValue JsonObject::required(const std::string& name) {
  if (auto value = optional(name)) return *value;
  throw InputError(value_.where(), fmt::format("no field \"{}\"", name), "it", "add the field");
}

std::vector<std::string> JsonObject::all_names() {
  std::vector<std::string> names;
  for (const auto& item : value_.node_->items()) {
    names.push_back(item.key());
    known_.insert(item.key());
  }
  return names;
}

void JsonObject::expect_format(const std::string& format) {
  const JsonValue value = required("format");
  if (!value.is_string() || value.string() != format) value.fail(fmt::format("\"{}\"", format));
}

void JsonObject::finish() const {
  for (const auto& item : value_.node_->items()) {
    const std::string& name = item.key();
    if (known_.contains(name) || name == "comment" || name.starts_with('_')) continue;
    const std::vector<std::string> names(known_.begin(), known_.end());
    const auto nearest = nearest_word(name, names);
    throw InputError(value_.where(), "an unknown field " + shown(nlohmann::json(name)),
                     fmt::format("one of {}", fmt::join(names, ", ")),
                     nearest ? fmt::format("did you mean \"{}\"?", *nearest) : "remove it");
  }
}

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& words) {
  std::optional<std::string> best;
  // A third of the letters may differ, two of five: beyond that a suggestion confuses more than it helps.
  std::size_t best_distance = (word.size() < 5 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
  for (const std::string& candidate : words) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t column = 0; column < row.size(); ++column) row[column] = column;
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t replace = diagonal + (word[i] == candidate[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replace, diagonal + 1, row[j] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace paceline
