// Good files to start from.
#pragma once

#include <string>

namespace paceline {

std::string seed_profile();
std::string seed_json();
std::string seed_nccl_tests();
std::string seed_nccl_tests_json();
std::string seed_topo();
std::string seed_hugging_face();

}  // namespace paceline
