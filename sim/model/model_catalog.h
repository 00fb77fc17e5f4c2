// Models by name: the parameters of a builder stand in scenarios/models/*.json, the shapes come from the
// builder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/model.h"

namespace paceline {

struct ModelRecipe;
class JsonValue;

// What a user may change about a model's input. 0 means the model file's default.
struct ModelInput {
  std::int64_t sequence = 0;    // tokens a sample
  std::int64_t image = 0;       // height and width in pixels
  std::int64_t vocabulary = 0;  // of the token embedding and head
  double masked_positions = 0;  // encoder: positions a sample that the vocabulary head sees
};

// Where a name is asked for, the path of a file that ends in .json may stand instead: a model file, or a
// Hugging Face config.json, which is read each time.
class ModelCatalog {
 public:
  // Reads every *.json of the folder. Throws InputError.
  static ModelCatalog load(const std::string& folder);

  // For models that are described elsewhere; a name that is taken keeps its model.
  void add(const std::string& name, std::shared_ptr<const ModelRecipe> recipe);

  // Each throws InputError naming the nearest known model, or what is wrong in the file.
  [[nodiscard]] Model build(const std::string& name, const ModelInput& input = {}) const;
  [[nodiscard]] bool contains(const std::string& name) const;  // by name, not as a file; never throws
  [[nodiscard]] std::vector<std::string> names() const;        // sorted, without aliases
  [[nodiscard]] std::string title(const std::string& name) const;
  // The input that `build` would use: defaults filled in.
  [[nodiscard]] ModelInput input_of(const std::string& name, const ModelInput& input = {}) const;

 private:
  struct Entry {
    std::string name, title, file;
    std::vector<std::string> aliases;
    std::shared_ptr<const ModelRecipe> recipe;
  };
  static Entry read(const std::string& file);
  static Entry read(const std::string& file, const JsonValue& value);
  static Entry read_any(const std::string& file);
  void add(Entry entry);  // throws InputError if a name is taken
  [[nodiscard]] const Entry* find(const std::string& name) const;
  [[nodiscard]] Entry entry(const std::string& name) const;
  std::vector<Entry> entries_;
};

}  // namespace paceline
