// A Diagnosis as text, Markdown and JSON.
#pragma once

#include <string>

#include "sim/study/diagnosis/diagnosis.h"

namespace paceline {

[[nodiscard]] std::string to_text(const Diagnosis& diagnosis);
[[nodiscard]] std::string to_markdown(const Diagnosis& diagnosis);
[[nodiscard]] std::string diagnosis_json(
    const Diagnosis& diagnosis);  // "paceline/collective-diagnosis-1", us and GB/s

}  // namespace paceline
