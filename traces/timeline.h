// Timeline: what happened when. A prediction, a profiler's trace and our own capture are all Timelines;
// nothing downstream can tell them apart.
//
// Struct of arrays, integer nanoseconds, strings interned, indices instead of pointers. Slices may be added
// in any order; readers of a Timeline must not assume that they are sorted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace paceline {

using Nanoseconds = std::int64_t;
using StringId = std::uint32_t;
using TrackId = std::uint32_t;
using SliceId = std::uint32_t;
using CounterId = std::uint32_t;

// Interned strings; id 0 is the empty string.
class StringPool {
 public:
  StringPool();
  StringPool(const StringPool& other);
  StringPool& operator=(const StringPool& other);
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;
  ~StringPool() = default;

  StringId intern(std::string_view text);
  [[nodiscard]] std::optional<StringId> find(std::string_view text) const;
  [[nodiscard]] const std::string& operator[](StringId id) const { return *strings_[id]; }
  [[nodiscard]] std::size_t size() const { return strings_.size(); }

 private:
  // Lets a string_view be looked up without making a string of it.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, StringId, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> strings_;  // keys of ids_, whose addresses are stable
};

// annotation: a row of marks that belong to no thread and no stream.
enum class TrackKind : std::uint8_t { host_thread, device_stream, annotation };
[[nodiscard]] std::string_view to_string(TrackKind kind);

// A row of slices: a host thread or a device stream of one rank. rank is -1 when the trace does not say.
struct Track {
  std::int32_t rank = -1;
  TrackKind kind = TrackKind::host_thread;
  StringId process_name = 0;  // "rank 0 (host)", "GPU 0"
  StringId name = 0;          // "compute stream", "stream 7", "python"
  std::int64_t process_id = 0;
  std::int64_t thread_id = 0;
  std::int64_t sort_index = 0;
};

// What a slice is, as far as the analysis must know. Device work is kernel, communication, copy and set;
// nothing else counts as busy time.
enum class Family : std::uint8_t {
  kernel,         // computation on a device
  communication,  // a collective's or send/receive's kernel on a device
  copy,           // memory copy on a device
  set,            // memory set on a device
  host,           // an operator or other work of a host thread
  runtime,        // a call of the device's runtime or driver
  step,           // one training step, as marked on the host
  annotation,     // a range marked by the user or copied by the profiler to the device's track
  sync,           // waiting for a device, a stream or an event
  other
};
[[nodiscard]] std::string_view to_string(Family family);

using ArgumentValue = std::variant<std::int64_t, std::uint64_t, double, bool, StringId>;
struct Argument {
  StringId key = 0;
  ArgumentValue value;
  bool raw_json = false;  // the string is a JSON value (an array, an object), to be written as it is
};

struct Flow {
  SliceId from = 0;
  SliceId to = 0;
  StringId category = 0;
};

struct Counter {
  std::int32_t rank = -1;
  StringId name = 0;  // "memory allocated"
  StringId unit = 0;  // "bytes"
  std::vector<Nanoseconds> times;
  std::vector<double> values;
};

class Timeline {
 public:
  StringPool strings;
  std::vector<Track> tracks;
  std::vector<Flow> flows;
  std::vector<Counter> counters;
  // Facts about the whole trace, as JSON text by key: "distributedInfo", "deviceProperties", "paceline".
  std::map<std::string, std::string> metadata;
  Nanoseconds base_time =
      0;  // absolute time of 0, where the trace says; times in the slices are relative to it

  TrackId add_track(const Track& track);
  SliceId add_slice(TrackId track, StringId name, Family family, Nanoseconds start, Nanoseconds duration);
  // Adds an argument to the slice that was added last.
  void add_argument(StringId key, ArgumentValue value, bool raw_json = false);
  void add_argument(std::string_view key, ArgumentValue value);
  void reserve_slices(std::size_t count);
  // Makes `zero` the new 0: every slice and counter moves, absolute times (base_time + start) stay.
  void rebase(Nanoseconds zero);

  [[nodiscard]] std::size_t slice_count() const { return start_.size(); }
  [[nodiscard]] Nanoseconds start(SliceId slice) const { return start_[slice]; }
  [[nodiscard]] Nanoseconds duration(SliceId slice) const { return duration_[slice]; }
  [[nodiscard]] Nanoseconds end(SliceId slice) const { return start_[slice] + duration_[slice]; }
  [[nodiscard]] StringId name(SliceId slice) const { return name_[slice]; }
  [[nodiscard]] const std::string& name_text(SliceId slice) const { return strings[name_[slice]]; }
  [[nodiscard]] TrackId track(SliceId slice) const { return track_[slice]; }
  [[nodiscard]] Family family(SliceId slice) const { return family_[slice]; }
  // What the trace calls this kind of slice ("python_function"); 0 where the family's usual name says it all.
  [[nodiscard]] StringId category(SliceId slice) const { return category_[slice]; }
  void set_family(SliceId slice, Family family) { family_[slice] = family; }
  void set_category(SliceId slice, StringId category) { category_[slice] = category; }
  void set_duration(SliceId slice, Nanoseconds duration) { duration_[slice] = duration; }
  // [begin, end) into arguments().
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> argument_range(SliceId slice) const;
  [[nodiscard]] const std::vector<Argument>& arguments() const { return arguments_; }
  [[nodiscard]] const Argument* find_argument(SliceId slice, std::string_view key) const;

 private:
  std::vector<Nanoseconds> start_, duration_;
  std::vector<StringId> name_;
  std::vector<TrackId> track_;
  std::vector<Family> family_;
  std::vector<StringId> category_;
  std::vector<std::uint32_t> first_argument_;  // of each slice; the next slice's is the end
  std::vector<Argument> arguments_;
};

}  // namespace paceline
