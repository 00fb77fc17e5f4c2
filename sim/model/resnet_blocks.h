// The residual blocks of ResNet, ResNeXt and SE-ResNeXt, for nets of their own and as a backbone.
#pragma once

#include <string>

#include "sim/model/builders.h"
#include "sim/model/convolutional_writer.h"

namespace paceline {

class ResNetBlocks {
 public:
  // Both must outlive the object.
  ResNetBlocks(const ResNetSpec& spec, ConvolutionalWriter& writer) : spec_(spec), writer_(writer) {}

  // A Sequential of blocks called NAME.0, NAME.1, ...; the first one has the stride.
  FeatureMap stage(const std::string& name, FeatureMap map, std::int64_t planes, std::int64_t blocks,
                   std::int64_t stride);

 private:
  FeatureMap block(const std::string& name, const FeatureMap& input, std::int64_t planes,
                   std::int64_t stride);
  FeatureMap bottleneck(const std::string& name, const FeatureMap& input, std::int64_t planes,
                        std::int64_t stride);
  FeatureMap basic(const std::string& name, const FeatureMap& input, std::int64_t planes,
                   std::int64_t stride);
  FeatureMap squeeze_excite(const std::string& name, const FeatureMap& input);

  const ResNetSpec& spec_;
  ConvolutionalWriter& writer_;
};

}  // namespace paceline
