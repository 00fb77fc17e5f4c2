// Models by name: the parameters of a builder stand in scenarios/models/*.json, the shapes come from the
// builder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/model.h"

namespace paceline {

struct ModelRecipe;

// What a user may change about a model's input. 0 means the model file's default.
struct ModelInput {
  std::int64_t sequence = 0;    // tokens a sample
  std::int64_t image = 0;       // height and width in pixels
  std::int64_t vocabulary = 0;  // of the token embedding and head
  double masked_positions = 0;  // encoder: positions a sample that the vocabulary head sees
};

class ModelCatalog {
 public:
  // Reads every *.json of the folder. Throws InputError.
  static ModelCatalog load(const std::string& folder);

  // Throws InputError naming the nearest known model.
  [[nodiscard]] Model build(const std::string& name, const ModelInput& input = {}) const;
  [[nodiscard]] bool contains(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;  // sorted, without aliases
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
  void add(Entry entry);  // throws InputError if a name is taken
  [[nodiscard]] const Entry* find(const std::string& name) const;
  [[nodiscard]] const Entry& entry(const std::string& name) const;
  std::vector<Entry> entries_;
};

}  // namespace paceline
