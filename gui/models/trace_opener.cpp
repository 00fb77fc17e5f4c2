#include "gui/models/trace_opener.h"

#include <utility>

#include "traces/kineto/kineto_reader.h"

namespace paceline::gui {

void TraceOpener::open(const std::string& file) {
  start([this, file](const Post& post, const LatestWorker::IsNewest&) {
    TraceImport import = read_trace(file);
    auto trace = std::make_shared<OpenedTrace>();
    trace->file = file;
    trace->report = std::move(import.report);
    trace->analysis = analyze(import.timeline);
    trace->layout =
        std::make_shared<const TimelineLayout>(std::make_shared<const Timeline>(std::move(import.timeline)));
    post([this, trace] { emit opened(trace); });
  });
}

}  // namespace paceline::gui
