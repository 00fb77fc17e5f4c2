#include "sim/model/model_recipe.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "sim/model/builders.h"

namespace paceline {
namespace {

// Bounds far above any net and low enough that counts of elements stay inside 64 bits.
constexpr std::int64_t most_classes = 1 << 24;  // and words of a vocabulary, and tokens
constexpr std::int64_t most_width = 1 << 20;
constexpr std::int64_t most_layers = 10000;
constexpr std::int64_t most_groups = 4096;
constexpr std::int64_t largest_image = 16384;

std::int64_t count(JsonObject& parameters, const std::string& name, std::int64_t maximum) {
  return parameters.required(name).integer(1, maximum);
}
std::int64_t count_or(JsonObject& parameters, const std::string& name, std::int64_t otherwise,
                      std::int64_t maximum) {
  const auto value = parameters.optional(name);
  return value ? value->integer(1, maximum) : otherwise;
}
bool flag(JsonObject& parameters, const std::string& name) {
  const auto value = parameters.optional(name);
  return value && value->boolean();
}
std::vector<std::int64_t> counts(JsonObject& parameters, const std::string& name, std::size_t at_most) {
  const JsonValue list = parameters.required(name);
  std::vector<std::int64_t> numbers;
  for (const JsonValue& item : list.array()) numbers.push_back(item.integer(1, 1000));
  if (numbers.empty() || numbers.size() > at_most) list.fail(fmt::format("1 to {} numbers", at_most));
  return numbers;
}

// Refuses an input that this kind of model does not have.
void refuse(double given, const std::string& argument, const std::string& kind) {
  if (given != 0)
    throw InputError(argument, fmt::format("{}", given), fmt::format("nothing, since the model is {}", kind),
                     "leave it out");
}

std::int64_t within(std::int64_t given, std::int64_t otherwise, std::int64_t maximum,
                    const std::string& argument) {
  const std::int64_t value = given == 0 ? otherwise : given;
  if (value < 1 || value > maximum)
    throw InputError(argument, fmt::format("{}", value), fmt::format("1 to {}", maximum),
                     "choose a value that the model allows");
  return value;
}

template <class Spec>
ModelRecipe image_recipe(const Spec& spec, Model (*build)(const Spec&)) {
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    refuse(static_cast<double>(given.sequence), "sequence", "a net for images");
    refuse(static_cast<double>(given.vocabulary), "vocabulary", "a net for images");
    refuse(given.masked_positions, "masked_positions", "a net for images");
    ModelInput input;
    input.image = within(given.image, spec.image, largest_image, "image");
    return input;
  };
  recipe.build = [spec, build](const ModelInput& input) {
    Spec sized = spec;
    sized.image = input.image;
    return build(sized);
  };
  return recipe;
}

void read_image(JsonObject& parameters, std::int64_t& image, std::int64_t& classes) {
  image = count_or(parameters, "image", image, largest_image);
  classes = count_or(parameters, "classes", classes, most_classes);
}

ModelRecipe read_resnet(JsonObject& parameters) {
  ResNetSpec spec;
  spec.bottleneck = parameters.required("block").choice({"basic", "bottleneck"}) == 1;
  spec.blocks = counts(parameters, "blocks", 8);
  spec.groups = count_or(parameters, "groups", spec.groups, most_groups);
  spec.width_per_group = count_or(parameters, "width_per_group", spec.width_per_group, most_groups);
  spec.stride_in_first = flag(parameters, "stride_in_first");
  const bool plain = spec.groups == 1 && spec.width_per_group == 64 && !spec.stride_in_first;
  if (!spec.bottleneck && !plain)
    parameters.value().fail("a basic block without groups, width_per_group and stride_in_first",
                            "use bottleneck blocks or leave those fields out");
  spec.squeeze_excite = flag(parameters, "squeeze_excite");
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_resnet);
}

ModelRecipe read_vgg(JsonObject& parameters) {
  VggSpec spec;
  spec.convolutions = counts(parameters, "convolutions", 7);
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_vgg);
}

ModelRecipe read_alexnet(JsonObject& parameters) {
  AlexNetSpec spec;
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_alexnet);
}

ModelRecipe read_inception(JsonObject& parameters) {
  InceptionSpec spec;
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_inception);
}

ModelRecipe read_efficientnet(JsonObject& parameters) {
  EfficientNetSpec spec;
  spec.width = parameters.required("width").number(0.1, 16);
  spec.depth = parameters.required("depth").number(0.1, 16);
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_efficientnet);
}

ModelRecipe read_ssd(JsonObject& parameters) {
  SsdSpec spec;
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_ssd);
}

ModelRecipe read_mlp(JsonObject& parameters) {
  MlpSpec spec;
  spec.inputs = count(parameters, "inputs", most_width);
  spec.hidden = count(parameters, "hidden", most_width);
  spec.outputs = count(parameters, "outputs", most_width);
  spec.layers = count(parameters, "layers", most_layers);
  ModelRecipe recipe;
  recipe.resolve = [](const ModelInput& given) {
    const std::string kind = "a chain of linear layers";
    refuse(static_cast<double>(given.sequence), "sequence", kind);
    refuse(static_cast<double>(given.image), "image", kind);
    refuse(static_cast<double>(given.vocabulary), "vocabulary", kind);
    refuse(given.masked_positions, "masked_positions", kind);
    return ModelInput{};
  };
  recipe.build = [spec](const ModelInput&) { return build_mlp(spec); };
  return recipe;
}

void read_transformer(JsonObject& parameters, TransformerSpec& spec) {
  spec.layers = count(parameters, "layers", most_layers);
  spec.hidden = count(parameters, "hidden", most_width);
  const JsonValue heads = parameters.required("heads");
  spec.heads = heads.integer(1, spec.hidden);
  if (spec.hidden % spec.heads != 0) heads.fail(fmt::format("a divisor of hidden, {}", spec.hidden));
  spec.feed_forward = count(parameters, "feed_forward", most_width);
  spec.vocabulary = count(parameters, "vocabulary", most_classes);
  spec.positions = count(parameters, "positions", most_classes);
  spec.sequence = parameters.required("sequence").integer(1, spec.positions);
}

ModelInput resolve_tokens(const TransformerSpec& spec, const ModelInput& given) {
  refuse(static_cast<double>(given.image), "image", "a transformer");
  ModelInput input;
  input.sequence = within(given.sequence, spec.sequence, spec.positions, "sequence");
  input.vocabulary = within(given.vocabulary, spec.vocabulary, most_classes, "vocabulary");
  return input;
}

template <class Spec>
ModelRecipe decoder_recipe(const Spec& spec, Model (*build)(const Spec&)) {
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    refuse(given.masked_positions, "masked_positions", "a decoder");
    return resolve_tokens(spec, given);
  };
  recipe.build = [spec, build](const ModelInput& input) {
    Spec sized = spec;
    sized.sequence = input.sequence;
    sized.vocabulary = input.vocabulary;
    return build(sized);
  };
  return recipe;
}

ModelRecipe read_gpt2(JsonObject& parameters) {
  Gpt2Spec spec;
  read_transformer(parameters, spec);
  return decoder_recipe(spec, &build_gpt2);
}

ModelRecipe read_llama(JsonObject& parameters) {
  LlamaSpec spec;
  read_transformer(parameters, spec);
  const JsonValue groups = parameters.required("key_value_heads");
  spec.key_value_heads = groups.integer(1, spec.heads);
  if (spec.heads % spec.key_value_heads != 0) groups.fail(fmt::format("a divisor of heads, {}", spec.heads));
  return decoder_recipe(spec, &build_llama);
}

ModelRecipe read_bert(JsonObject& parameters) {
  BertSpec spec;
  read_transformer(parameters, spec);
  ModelRecipe recipe;
  recipe.resolve = [spec](const ModelInput& given) {
    ModelInput input = resolve_tokens(spec, given);
    const auto sequence = static_cast<double>(input.sequence);
    input.masked_positions =
        given.masked_positions == 0 ? bert_masked_positions(input.sequence) : given.masked_positions;
    if (!(input.masked_positions > 0 && input.masked_positions <= sequence))
      throw InputError("masked_positions", fmt::format("{}", given.masked_positions),
                       fmt::format("more than 0 and at most the sequence, {}", input.sequence),
                       "leave it out for what the published scripts use");
    return input;
  };
  recipe.build = [spec](const ModelInput& input) {
    BertSpec sized = spec;
    sized.sequence = input.sequence;
    sized.vocabulary = input.vocabulary;
    sized.masked_positions = input.masked_positions;
    return build_bert(sized);
  };
  return recipe;
}

using Reader = ModelRecipe (*)(JsonObject&);
constexpr std::array<std::pair<const char*, Reader>, 10> readers{{{"alexnet", &read_alexnet},
                                                                  {"bert", &read_bert},
                                                                  {"efficientnet", &read_efficientnet},
                                                                  {"gpt2", &read_gpt2},
                                                                  {"inception_v3", &read_inception},
                                                                  {"llama", &read_llama},
                                                                  {"mlp", &read_mlp},
                                                                  {"resnet", &read_resnet},
                                                                  {"ssd_resnet50", &read_ssd},
                                                                  {"vgg", &read_vgg}}};

}  // namespace

ModelRecipe read_model_recipe(const JsonValue& builder, JsonObject parameters) {
  std::vector<std::string> words;
  for (const auto& [word, reader] : readers) words.emplace_back(word);
  ModelRecipe recipe = readers[builder.choice(words)].second(parameters);
  parameters.finish();
  return recipe;
}

}  // namespace paceline
