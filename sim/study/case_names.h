// Short names that tell the cases of a study apart.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.h"

namespace paceline {

// What sets each row apart from the other rows of its model and cluster, apart from strategy and devices:
// "b64-fp16". Empty where the strategy and the number of devices say it all.
[[nodiscard]] std::vector<std::string> case_variants(const std::vector<StudyRow>& rows);

// "ResNet-50 (b64-fp16)": the model's title with the variant, if any.
[[nodiscard]] std::vector<std::string> case_titles(const std::vector<StudyRow>& rows);

// "resnet50-dgx-1v-ddp-16", with the variant after it where there is one: stems of the cases' files. No two
// are equal.
[[nodiscard]] std::vector<std::string> case_names(const std::vector<StudyRow>& rows);

}  // namespace paceline
