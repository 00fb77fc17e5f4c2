#include "traces/kineto/counter_table.h"

#include <optional>
#include <string>
#include <tuple>

namespace paceline {
namespace {

std::optional<double> number_of(const RecordArgument& argument) {
  if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&argument.value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&argument.value)) return *number;
  return std::nullopt;
}

}  // namespace

bool CounterTable::Key::operator<(const Key& other) const {
  return std::tuple(row, name, unit) < std::tuple(other.row, other.name, other.unit);
}

void CounterTable::add_memory(const EventRecord& record, Nanoseconds time) {
  const std::string device =
      record.integer("Device Type", 0) == 0 ? "CPU" : "GPU " + std::to_string(record.integer("Device Id", 0));
  const StringId bytes = timeline_.strings.intern("bytes");
  const RowId row = tracks_.row(record.process, {});
  const std::int64_t allocated = record.integer("Total Allocated", -1);
  if (allocated < 0) {
    const StringId name = timeline_.strings.intern(device + " memory allocated since the start");
    double& sum = allocated_[name];
    sum += static_cast<double>(record.integer("Bytes", 0));
    return sample(row, name, bytes, time, sum);
  }
  sample(row, timeline_.strings.intern(device + " memory allocated"), bytes, time,
         static_cast<double>(allocated));
  const std::int64_t reserved = record.integer("Total Reserved", -1);
  if (reserved >= 0)
    sample(row, timeline_.strings.intern(device + " memory reserved"), bytes, time,
           static_cast<double>(reserved));
}

bool CounterTable::add(const EventRecord& record, Nanoseconds time) {
  const RowId row = tracks_.row(record.process, {});
  const std::string prefix(record.process.text);
  const StringId name = timeline_.strings.intern(prefix.empty() ? std::string(record.name)
                                                                : prefix + ": " + std::string(record.name));
  bool any = false;
  for (const RecordArgument& argument : record.arguments) {
    const auto value = number_of(argument);
    if (!value) continue;
    any = true;
    sample(row, name, argument.key == "value" ? 0 : timeline_.strings.intern(argument.key), time, *value);
  }
  return any;
}

void CounterTable::sample(RowId row, StringId name, StringId unit, Nanoseconds time, double value) {
  const auto [place, inserted] = counters_.try_emplace({row, name, unit}, timeline_.counters.size());
  if (inserted) {
    timeline_.counters.push_back({-1, name, unit, {}, {}});
    rows_.push_back(row);
  }
  Counter& counter = timeline_.counters[place->second];
  counter.times.push_back(time);
  counter.values.push_back(value);
}

// A counter is known by rank, name and unit. Where several processes of a rank have the same one, such as
// data loaders with memory of their own, the later ones are numbered.
void CounterTable::finish(std::int32_t rank) {
  using Name = std::tuple<std::int32_t, StringId, StringId>;
  std::map<Name, int> uses;
  for (std::size_t index = 0; index < timeline_.counters.size(); ++index) {
    Counter& counter = timeline_.counters[index];
    counter.rank = tracks_.rank_of(rows_[index]).value_or(rank);
    const StringId name = counter.name;
    while (++uses[Name(counter.rank, counter.name, counter.unit)] > 1) {
      const int number = uses[Name(counter.rank, name, counter.unit)];
      counter.name = timeline_.strings.intern(timeline_.strings[name] + " (" + std::to_string(number) + ")");
    }
  }
}

}  // namespace paceline
