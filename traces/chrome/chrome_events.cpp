#include "traces/chrome/chrome_events.h"

#include <algorithm>

#include "traces/category.h"
#include "traces/chrome/event_text.h"
#include "traces/chrome/lanes.h"
#include "traces/chrome/row_ids.h"

namespace paceline {
namespace {

class EventWriter : private EventText {
 public:
  EventWriter(std::string& out, const Timeline& timeline)
      : EventText(out),
        timeline_(timeline),
        lanes_(assign_lanes(timeline)),
        rows_(assign_row_ids(timeline, lanes_)) {}

  void write() {
    for (std::size_t process = 0; process < rows_.processes.size(); ++process) write_process(process);
    for (TrackId track = 0; track < timeline_.tracks.size(); ++track) write_track(track);
    for (SliceId slice = 0; slice < timeline_.slice_count(); ++slice) write_slice(slice);
    for (std::size_t flow = 0; flow < timeline_.flows.size(); ++flow) write_flow(flow);
    for (std::size_t counter = 0; counter < timeline_.counters.size(); ++counter) write_counter(counter);
  }

 private:
  void write_process(std::size_t index) {
    const RowIds::Process& process = rows_.processes[index];
    begin_metadata("process_name", process.id, 0);
    text("\"name\": ", timeline_.strings[process.name]);
    end_arguments();
    // Ranks in order, the host above the devices.
    begin_metadata("process_sort_index", process.id, 0);
    integer("\"sort_index\": ", 2 * std::int64_t{process.rank} + (process.has_device ? 1 : 0));
    end_arguments();
    begin_metadata("paceline_process", process.id, 0);
    integer("\"rank\": ", process.rank);
    end_arguments();
  }

  void write_track(TrackId track) {
    const Track& fields = timeline_.tracks[track];
    const std::int64_t process = rows_.processes[rows_.process[track]].id;
    for (std::size_t lane = 0; lane < rows_.lanes[track].size(); ++lane) {
      const std::int64_t thread = rows_.lanes[track][lane];
      begin_metadata("thread_name", process, thread);
      text("\"name\": ", timeline_.strings[fields.name] + (lane == 0 ? "" : " (overlapping)"));
      end_arguments();
      begin_metadata("thread_sort_index", process, thread);
      integer("\"sort_index\": ", fields.sort_index);
      end_arguments();
      begin_metadata("paceline_track", process, thread);
      integer("\"track\": ", track);
      text(", \"kind\": ", to_string(fields.kind));
      integer(", \"process_id\": ", fields.process_id);
      integer(", \"thread_id\": ", fields.thread_id);
      end_arguments();
    }
  }

  void slice_row(SliceId slice) {
    const TrackId track = timeline_.track(slice);
    row(rows_.processes[rows_.process[track]].id, rows_.lanes[track][lanes_.lane[slice]]);
  }

  void write_slice(SliceId slice) {
    const Family family = timeline_.family(slice);
    const StringId own = timeline_.category(slice);
    const std::string_view category =
        own != 0 ? std::string_view(timeline_.strings[own])
                 : category_of(family, timeline_.tracks[timeline_.track(slice)].kind);
    begin("X");
    text(", \"cat\": ", category);
    text(", \"name\": ", timeline_.name_text(slice));
    slice_row(slice);
    time(", \"ts\": ", timeline_.start(slice));
    time(", \"dur\": ", timeline_.duration(slice));
    if (family_of(category, timeline_.name_text(slice)) != family) text(", \"family\": ", to_string(family));
    write_arguments(slice);
    out_ += '}';
  }

  void write_arguments(SliceId slice) {
    const auto [begin, end] = timeline_.argument_range(slice);
    if (begin == end) return;
    out_ += ", \"args\": {";
    for (std::uint32_t index = begin; index < end; ++index) {
      const Argument& argument = timeline_.arguments()[index];
      if (index != begin) out_ += ", ";
      append_json_string(out_, timeline_.strings[argument.key]);
      out_ += ": ";
      write_value(argument);
    }
    out_ += '}';
  }

  void write_value(const Argument& argument) {
    if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return append_integer(out_, *number);
    if (const auto* number = std::get_if<std::uint64_t>(&argument.value))
      return append_unsigned(out_, *number);
    if (const auto* number = std::get_if<double>(&argument.value)) return append_double(out_, *number);
    if (const auto* truth = std::get_if<bool>(&argument.value)) {
      out_ += *truth ? "true" : "false";
      return;
    }
    const std::string& string = timeline_.strings[std::get<StringId>(argument.value)];
    if (argument.raw_json) {
      out_ += string;
    } else {
      append_json_string(out_, string);
    }
  }

  // Viewers draw an arrow from the slice around "s" to the slice around "f" and only forward in time, so the
  // end is moved into the later part of its slice if that began before the start.
  void write_flow(std::size_t index) {
    const Flow& flow = timeline_.flows[index];
    const Nanoseconds start = timeline_.start(flow.from);
    const Nanoseconds latest = std::max(timeline_.start(flow.to), timeline_.end(flow.to) - 1);
    write_flow_end("s", "", index, flow.from, start);
    write_flow_end("f", ", \"bp\": \"e\"", index, flow.to,
                   std::clamp(start, timeline_.start(flow.to), latest));
  }

  void write_flow_end(std::string_view phase, std::string_view binding, std::size_t index, SliceId slice,
                      Nanoseconds when) {
    const std::string& category = timeline_.strings[timeline_.flows[index].category];
    begin(phase);
    integer(", \"id\": ", static_cast<std::int64_t>(index));
    slice_row(slice);
    time(", \"ts\": ", when);
    text(", \"cat\": ", category);
    text(", \"name\": ", category);
    out_ += binding;
    integer(", \"args\": {\"slice\": ", slice);
    end_arguments();
  }

  void write_counter(std::size_t index) {
    const Counter& counter = timeline_.counters[index];
    const std::int64_t process = rows_.processes[rows_.counter_process[index]].id;
    const std::string& unit = timeline_.strings[counter.unit];
    for (std::size_t sample = 0; sample < counter.times.size(); ++sample) {
      begin("C");
      text(", \"name\": ", timeline_.strings[counter.name]);
      row(process, 0);
      time(", \"ts\": ", counter.times[sample]);
      text(", \"args\": {", unit.empty() ? "value" : unit);
      out_ += ": ";
      append_double(out_, counter.values[sample]);
      end_arguments();
    }
  }

  const Timeline& timeline_;
  LaneAssignment lanes_;
  RowIds rows_;
};

}  // namespace

void append_chrome_events(std::string& out, const Timeline& timeline) { EventWriter(out, timeline).write(); }

}  // namespace paceline
