#include "sim/model/model_catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json_reader.h"
#include "sim/model/hugging_face/hugging_face.h"
#include "sim/model/model_recipe.h"

namespace paceline {
namespace {

std::vector<std::string> read_aliases(JsonObject& object) {
  std::vector<std::string> aliases;
  if (const auto list = object.optional("aliases"))
    for (const JsonValue& alias : list->array()) aliases.push_back(alias.string());
  return aliases;
}

}  // namespace

ModelCatalog::Entry ModelCatalog::read(const std::string& file) {
  return read(file, JsonValue::parse_file(file));
}

ModelCatalog::Entry ModelCatalog::read(const std::string& file, const JsonValue& value) {
  JsonObject object = value.object();
  object.expect_format("paceline/model-1");
  Entry entry;
  entry.file = file;
  entry.name = object.required("name").string();
  entry.title = object.required("title").string();
  entry.aliases = read_aliases(object);
  (void)object.required("source").string();
  const JsonValue builder = object.required("builder");
  entry.recipe =
      std::make_shared<ModelRecipe>(read_model_recipe(builder, object.required("parameters").object()));
  object.finish();
  return entry;
}

void ModelCatalog::add(Entry entry) {
  std::vector<std::string> words = entry.aliases;
  words.push_back(entry.name);
  for (const std::string& word : words)
    if (const Entry* other = find(word))
      throw InputError(entry.file, fmt::format("the name \"{}\" of {}", word, other->file),
                       "a name of its own", "rename one of the two models or drop the alias");
  entries_.push_back(std::move(entry));
}

void ModelCatalog::add(const std::string& name, std::shared_ptr<const ModelRecipe> recipe) {
  if (!find(name)) entries_.push_back({name, name, "", {}, std::move(recipe)});
}

ModelCatalog ModelCatalog::load(const std::string& folder) {
  ModelCatalog catalog;
  for (const std::string& file :
       json_files(folder, "point --data or PACELINE_DATA to the project's scenarios folder"))
    catalog.add(read(file));
  return catalog;
}

const ModelCatalog::Entry* ModelCatalog::find(const std::string& name) const {
  for (const Entry& entry : entries_)
    if (entry.name == name ||
        std::find(entry.aliases.begin(), entry.aliases.end(), name) != entry.aliases.end())
      return &entry;
  return nullptr;
}

// A model file of ours says so in its "format"; any other one must be Hugging Face's.
ModelCatalog::Entry ModelCatalog::read_any(const std::string& file) {
  const JsonValue value = JsonValue::parse_file(file);
  Entry entry;
  if (value.object().optional("format")) {
    entry = read(file, value);
  } else {
    HuggingFaceModel model = read_hugging_face(value);
    entry.title = std::move(model.title);
    entry.recipe = std::make_shared<ModelRecipe>(std::move(model.recipe));
  }
  entry.name = file;  // by which it is found again
  return entry;
}

ModelCatalog::Entry ModelCatalog::entry(const std::string& name) const {
  if (const Entry* found = find(name)) return *found;
  if (name.ends_with(".json")) return read_any(name);
  std::vector<std::string> words;
  for (const Entry& entry : entries_) {
    words.push_back(entry.name);
    words.insert(words.end(), entry.aliases.begin(), entry.aliases.end());
  }
  const auto nearest = nearest_word(name, words);
  throw InputError(
      "model", fmt::format("\"{}\"", name), "a known model",
      nearest ? fmt::format("did you mean \"{}\"?", *nearest)
              : fmt::format("name a file, as ./config.json, or one of {}", fmt::join(names(), ", ")));
}

bool ModelCatalog::contains(const std::string& name) const { return find(name) != nullptr; }

std::vector<std::string> ModelCatalog::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string ModelCatalog::title(const std::string& name) const { return entry(name).title; }

ModelInput ModelCatalog::input_of(const std::string& name, const ModelInput& input) const {
  return entry(name).recipe->resolve(input);
}

Model ModelCatalog::build(const std::string& name, const ModelInput& input) const {
  const Entry found = entry(name);
  Model model = found.recipe->build(found.recipe->resolve(input));
  model.name = found.name;
  model.title = found.title;
  return model;
}

}  // namespace paceline
