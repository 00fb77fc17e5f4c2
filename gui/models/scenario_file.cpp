#include "gui/models/scenario_file.h"

#include <array>
#include <string_view>

#include "traces/kineto/byte_source.h"

namespace paceline::gui {

// Scenarios are small; a trace may have gigabytes, of which the beginning says enough.
bool is_scenario_file(const std::string& file) {
  const auto source = open_file(file);
  std::array<char, 1 << 16> bytes{};
  std::size_t size = 0;
  while (size < bytes.size()) {
    const std::size_t count = source->read(bytes.data() + size, bytes.size() - size);
    if (count == 0) break;
    size += count;
  }
  return std::string_view(bytes.data(), size).find("\"paceline/scenario-") != std::string_view::npos;
}

}  // namespace paceline::gui
