#include "tests/traces/timeline_difference.h"

namespace paceline {
namespace {

class Comparison {
 public:
  Comparison(const Timeline& a, const Timeline& b) : a_(a), b_(b) {}

  std::string run() {
    count("tracks", a_.tracks.size(), b_.tracks.size());
    count("slices", a_.slice_count(), b_.slice_count());
    count("flows", a_.flows.size(), b_.flows.size());
    count("counters", a_.counters.size(), b_.counters.size());
    if (!result_.empty()) return result_;
    check("base time", 0, a_.base_time == b_.base_time);
    for (std::size_t i = 0; i < a_.tracks.size(); ++i) track(i);
    for (SliceId i = 0; i < a_.slice_count(); ++i) slice(i);
    for (std::size_t i = 0; i < a_.flows.size(); ++i) flow(i);
    for (std::size_t i = 0; i < a_.counters.size(); ++i) counter(i);
    return result_;
  }

 private:
  void count(const std::string& what, std::size_t a, std::size_t b) {
    if (a != b && result_.empty()) result_ = what + ": " + std::to_string(a) + " and " + std::to_string(b);
  }
  void check(const std::string& what, std::size_t index, bool same) {
    if (!same && result_.empty()) result_ = what + " " + std::to_string(index);
  }
  [[nodiscard]] bool same_text(StringId a, StringId b) const { return a_.strings[a] == b_.strings[b]; }

  void track(std::size_t i) {
    const Track& a = a_.tracks[i];
    const Track& b = b_.tracks[i];
    check("rank of track", i, a.rank == b.rank);
    check("kind of track", i, a.kind == b.kind);
    check("names of track", i, same_text(a.process_name, b.process_name) && same_text(a.name, b.name));
    check("ids of track", i,
          a.process_id == b.process_id && a.thread_id == b.thread_id && a.sort_index == b.sort_index);
  }

  void slice(SliceId i) {
    check("track of slice", i, a_.track(i) == b_.track(i));
    check("time of slice", i, a_.start(i) == b_.start(i) && a_.duration(i) == b_.duration(i));
    check("name of slice", i, a_.name_text(i) == b_.name_text(i));
    check("family of slice", i, a_.family(i) == b_.family(i));
    check("category of slice", i, same_text(a_.category(i), b_.category(i)));
    const auto [a_begin, a_end] = a_.argument_range(i);
    const auto [b_begin, b_end] = b_.argument_range(i);
    check("number of arguments of slice", i, a_end - a_begin == b_end - b_begin);
    if (!result_.empty()) return;
    for (std::uint32_t k = 0; k < a_end - a_begin; ++k)
      check("arguments of slice", i, same_argument(a_.arguments()[a_begin + k], b_.arguments()[b_begin + k]));
  }

  [[nodiscard]] bool same_argument(const Argument& a, const Argument& b) const {
    if (!same_text(a.key, b.key) || a.raw_json != b.raw_json || a.value.index() != b.value.index())
      return false;
    if (const auto* text = std::get_if<StringId>(&a.value))
      return same_text(*text, std::get<StringId>(b.value));
    return a.value == b.value;
  }

  void flow(std::size_t i) {
    const Flow& a = a_.flows[i];
    const Flow& b = b_.flows[i];
    check("flow", i, a.from == b.from && a.to == b.to && same_text(a.category, b.category));
  }

  void counter(std::size_t i) {
    const Counter& a = a_.counters[i];
    const Counter& b = b_.counters[i];
    check("name of counter", i, a.rank == b.rank && same_text(a.name, b.name) && same_text(a.unit, b.unit));
    check("samples of counter", i, a.times == b.times && a.values == b.values);
  }

  const Timeline& a_;
  const Timeline& b_;
  std::string result_;
};

}  // namespace

std::string difference(const Timeline& a, const Timeline& b) { return Comparison(a, b).run(); }

}  // namespace paceline
