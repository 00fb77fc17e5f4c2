#include "sim/study/study_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "sim/study/case_names.h"
#include "sim/study/chart.h"
#include "sim/study/parallel.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline {
namespace {

// Causes that share a colour: the chart has room for seven.
struct PartOfMemory {
  const char* name;
  std::vector<MemoryCause> causes;
};
const std::vector<PartOfMemory>& memory_parts() {
  static const std::vector<PartOfMemory> parts{
      {"parameters and buffers", {MemoryCause::parameters, MemoryCause::buffers}},
      {"gradients", {MemoryCause::gradients}},
      {"buckets", {MemoryCause::buckets}},
      {"optimizer", {MemoryCause::optimizer}},
      {"activations and input", {MemoryCause::activations, MemoryCause::input}},
      {"gathered outputs", {MemoryCause::outputs}},
      {"context and libraries", {MemoryCause::context, MemoryCause::workspace, MemoryCause::allocator}}};
  return parts;
}

StackedBar bar_of(const std::string& name, const RankMemory& rank, Bytes capacity) {
  StackedBar bar{name, {}, capacity / gibibytes(1)};
  for (const PartOfMemory& part : memory_parts()) {
    Bytes sum;
    for (const MemoryCause cause : part.causes) sum += rank.at_peak[static_cast<std::size_t>(cause)];
    bar.parts.push_back(sum / gibibytes(1));
  }
  return bar;
}

// The panel of that title, made when it is not there yet; panels keep the order of the rows.
template <class Panel>
Panel& panel_of(std::vector<Panel>& panels, const std::string& title) {
  for (Panel& panel : panels)
    if (panel.title == title) return panel;
  panels.push_back({title, {}});
  return panels.back();
}

}  // namespace

std::string speedup_chart(const Study& study, const std::vector<StudyRow>& rows) {
  LineChart chart{study.title, "GPUs", "speedup over one GPU", {}, true};
  std::map<std::string, int> colors;  // by cluster
  const std::vector<std::string> titles = case_titles(rows);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const StudyRow& row = rows[index];
    const Scenario& scenario = row.input.scenario;
    if (scenario.strategy.kind == StrategyKind::single) continue;
    LinePanel& panel = panel_of(chart.panels, titles[index]);
    const std::string name = fmt::format("{}, {}", scenario.cluster, title_of(scenario.strategy.kind));
    auto curve = std::find_if(panel.series.begin(), panel.series.end(),
                              [&](const LineSeries& series) { return series.name == name; });
    if (curve == panel.series.end()) {
      const int color = colors.try_emplace(scenario.cluster, static_cast<int>(colors.size())).first->second;
      panel.series.push_back({name, {{1, 1}}, color, scenario.strategy.kind == StrategyKind::data_parallel});
      curve = panel.series.end() - 1;
    }
    curve->points.emplace_back(scenario.devices, row.speedup);
  }
  return to_svg(chart);
}

// More nodes leave the memory of a GPU as it is, so only the cases of one node are drawn.
std::string memory_chart(const Study& study, const std::vector<StudyRow>& rows) {
  BarChart chart{study.title + ": memory of a GPU at its peak", "GiB", "device memory", {}, {}};
  for (const PartOfMemory& part : memory_parts()) chart.parts.emplace_back(part.name);
  const std::vector<std::string> titles = case_titles(rows);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const Scenario& scenario = rows[index].input.scenario;
    const Prediction& prediction = rows[index].prediction;
    if (prediction.nodes > 1 || prediction.memory.empty()) continue;
    BarPanel& panel = panel_of(chart.panels, titles[index]);
    const std::string name =
        scenario.devices == 1
            ? fmt::format("{}, one GPU", scenario.cluster)
            : fmt::format("{}, {} {}", scenario.cluster, scenario.devices, title_of(scenario.strategy.kind));
    const bool uneven = prediction.memory.size() > 1;
    panel.bars.push_back(bar_of(uneven ? name + ", GPU 0" : name, prediction.memory[0], prediction.capacity));
    if (uneven) panel.bars.push_back(bar_of("other GPUs", prediction.memory[1], prediction.capacity));
  }
  return to_svg(chart);
}

std::vector<std::string> write_study(const Study& study, const std::vector<StudyRow>& rows,
                                     const std::string& folder) {
  make_output_folder(folder);
  make_output_folder(folder + "/timelines");
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, const std::string& content) {
    files.push_back(folder + "/" + name);
    write_file(files.back(), content);
  };
  const Table table = study_table(rows);
  write("table.md", "# " + study.title + "\n\n" + to_markdown(table));
  write("table.csv", to_csv(table));
  write("result.json", study_json(study, rows));
  write("speedup.svg", speedup_chart(study, rows));
  write("memory.svg", memory_chart(study, rows));
  const std::size_t first = files.size();
  for (const std::string& name : case_names(rows))
    files.push_back(folder + "/timelines/" + name + ".json.gz");
  for_each_index(rows.size(),
                 [&](std::size_t index) { write_chrome_json(rows[index].timeline, files[first + index]); });
  return files;
}

}  // namespace paceline
