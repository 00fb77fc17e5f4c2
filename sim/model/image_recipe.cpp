// Model files of nets for images, and of chains of linear layers.
#include "sim/model/builders.h"
#include "sim/model/recipe_fields.h"

namespace paceline {
namespace {

void read_image(JsonObject& parameters, std::int64_t& image, std::int64_t& classes) {
  image = count_or(parameters, "image", image, largest_image);
  classes = count_or(parameters, "classes", classes, most_classes);
}

}  // namespace

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

ModelRecipe read_vit(JsonObject& parameters) {
  VitSpec spec;
  spec.layers = count(parameters, "layers", most_layers);
  spec.hidden = count(parameters, "hidden", most_width);
  const JsonValue heads = parameters.required("heads");
  spec.heads = heads.integer(1, spec.hidden);
  if (spec.hidden % spec.heads != 0) heads.fail("a divisor of hidden");
  spec.feed_forward = count(parameters, "feed_forward", most_width);
  spec.patch = count(parameters, "patch", largest_image);
  read_image(parameters, spec.image, spec.classes);
  ModelRecipe recipe = image_recipe(spec, &build_vit);
  recipe.resolve = [inner = recipe.resolve, patch = spec.patch](const ModelInput& given) {
    ModelInput input = inner(given);
    (void)within(input.image / patch, 1, largest_image, "image, in patches of the model");
    return input;
  };
  return recipe;
}

ModelRecipe read_unet(JsonObject& parameters) {
  UnetSpec spec;
  spec.channels = counts(parameters, "channels", 8, most_width);
  if (spec.channels.size() < 2) parameters.required("channels").fail("2 to 8 numbers");
  spec.volume = flag(parameters, "volume");
  spec.inputs = count_or(parameters, "inputs", spec.inputs, most_groups);
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_unet);
}

ModelRecipe read_mask_rcnn(JsonObject& parameters) {
  MaskRcnnSpec spec;
  read_image(parameters, spec.image, spec.classes);
  spec.boxes = count_or(parameters, "boxes", spec.boxes, most_classes);
  spec.masks = count_or(parameters, "masks", spec.masks, spec.boxes);
  return image_recipe(spec, &build_mask_rcnn);
}

ModelRecipe read_retinanet(JsonObject& parameters) {
  RetinaNetSpec spec;
  spec.groups = count_or(parameters, "groups", spec.groups, most_groups);
  spec.width_per_group = count_or(parameters, "width_per_group", spec.width_per_group, most_groups);
  read_image(parameters, spec.image, spec.classes);
  return image_recipe(spec, &build_retinanet);
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

}  // namespace paceline
