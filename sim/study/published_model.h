// The model that a published row names, or whose shape it states.
#pragma once

#include <memory>
#include <string>

#include "base/json_reader.h"
#include "sim/model/transformer_spec.h"
#include "sim/study/catalog.h"
#include "sim/study/scenario.h"

namespace paceline {

struct ModelRecipe;

// A model that the catalog does not have, built from a row, under a name that says its sizes.
struct PublishedModel {
  std::string name;
  std::shared_ptr<const ModelRecipe> recipe;
};

// Sets the scenario's model and input, and `built` where the model is the row's own; returns why the row
// cannot be asked, or nothing.
[[nodiscard]] std::string fill_published_model(const Catalog& catalog, const JsonValue& row,
                                               Scenario& scenario, std::optional<PublishedModel>& built);

// Equal sizes have equal names, so that rows of one model are known as such.
[[nodiscard]] PublishedModel published_decoder(const DecoderSpec& spec);

// A GPT as Megatron-LM builds it: norms and biases in every layer, learned positions, embedding and head one.
[[nodiscard]] DecoderSpec megatron_gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                       std::int64_t width, std::int64_t vocabulary, std::int64_t sequence);

}  // namespace paceline
