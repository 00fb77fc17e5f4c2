// Files that are given to us as traces and are something else.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace paceline {

// Throws TraceError for bytes that begin no JSON, naming what they look like.
[[noreturn]] void throw_foreign_bytes(const std::string& file, std::string_view start, std::uint64_t offset);

// Throws TraceError if the keys of the outer object, without traceEvents, show another known format.
void check_foreign_keys(const std::string& file, const std::set<std::string>& keys, std::uint64_t offset);

}  // namespace paceline
