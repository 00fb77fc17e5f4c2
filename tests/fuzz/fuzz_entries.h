// What is fuzzed: each entry must take any bytes, and either succeed or throw an Error of ours.
#pragma once

#include <string_view>

namespace paceline {

// Reads the bytes as a trace; what is read must survive analysis, writing and reading again.
void fuzz_trace(std::string_view bytes);

// Reads the bytes as checked JSON and asks every value for everything.
void fuzz_json(std::string_view bytes);

// Reads the bytes as a log of nccl-tests; what is read must become a Profile or be refused.
void fuzz_nccl_tests(std::string_view bytes);

// Reads the bytes as a Profile, from a file of this name.
void fuzz_profile(std::string_view bytes, const char* file);

// Reads the bytes as the output of `nvidia-smi topo -m`; what is read must make a cluster with paths, or be
// refused.
void fuzz_topo(std::string_view bytes);

// Reads the bytes as a Hugging Face config.json; what is read must make a net, or be refused.
void fuzz_hugging_face(std::string_view bytes);

}  // namespace paceline
