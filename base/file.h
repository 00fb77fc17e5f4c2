// Files that are whole or absent: written beside their place and renamed when complete.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paceline {

// Throws InputError if the file cannot be read. "-" is not special here.
std::string read_file(const std::string& file);

// Writes to a temporary file in the same folder and renames it; throws InputError if that cannot be done. A
// device or a pipe, such as /dev/null, is written to as it is.
void write_file(const std::string& file, std::string_view content);

// Throws InputError if write_output is bound to fail: asked before long work, not after it.
void check_output(const std::string& file);

// Writes to standard output for "-", else as write_file.
void write_output(const std::string& file, std::string_view content);

// Throws InputError if make_output_folder is bound to fail; creates nothing.
void check_output_folder(const std::string& folder);

// Creates the folder and its parents; throws InputError if that fails or it cannot be written to.
void make_output_folder(const std::string& folder);

// Paths of a folder's *.json files, by name. Throws InputError if the folder cannot be read; the remedy is
// the caller's, who knows what the folder is for.
std::vector<std::string> json_files(const std::string& folder, const std::string& remedy);

}  // namespace paceline
