#include "sim/study/study_files.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "sim/study/chart.h"
#include "traces/chrome/chrome_writer.h"

namespace paceline {
namespace {

struct CurveKey {
  std::string model, cluster;
  StrategyKind kind;
  auto operator<=>(const CurveKey&) const = default;
};

}  // namespace

std::string speedup_chart(const Study& study, const std::vector<StudyRow>& rows) {
  std::map<CurveKey, LineSeries> curves;
  std::map<std::string, int> colors;  // by model and cluster
  for (const StudyRow& row : rows) {
    const Scenario& scenario = row.input.scenario;
    if (scenario.strategy.kind == StrategyKind::single) continue;
    const std::string place = scenario.model + " on " + scenario.cluster;
    const int color = colors.try_emplace(place, static_cast<int>(colors.size())).first->second;
    LineSeries& curve = curves[{scenario.model, scenario.cluster, scenario.strategy.kind}];
    if (curve.points.empty()) curve.points.emplace_back(1, 1);
    curve.name = fmt::format("{}, {}", place, title_of(scenario.strategy.kind));
    curve.color = color;
    curve.dashed = scenario.strategy.kind == StrategyKind::data_parallel;
    curve.points.emplace_back(scenario.devices, row.speedup);
  }
  LineChart chart{study.title, "GPUs", "speedup over one GPU", {}, true};
  for (auto& [key, curve] : curves) chart.series.push_back(std::move(curve));
  return to_svg(chart);
}

std::string memory_chart(const Study& study, const std::vector<StudyRow>& rows) {
  BarChart chart{study.title + ": memory of a GPU", "peak, GiB", {"GPU 0", "other GPUs"}, {}};
  for (const StudyRow& row : rows) {
    const Scenario& scenario = row.input.scenario;
    const Prediction& prediction = row.prediction;
    chart.groups.push_back(
        {fmt::format("{} {} {} {}", scenario.model, scenario.cluster, title_of(scenario.strategy.kind),
                     scenario.devices),
         {prediction.first_device_peak() / gibibytes(1),
          scenario.devices > 1 ? prediction.other_device_peak() / gibibytes(1) : -1},
         prediction.capacity / gibibytes(1)});
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
  for (const StudyRow& row : rows)
    files.push_back(folder + "/timelines/" + case_name(row.input.scenario) + ".json.gz");
  oneapi::tbb::parallel_for(std::size_t{0}, rows.size(),
                            [&](std::size_t index) { write_chrome_json(rows[index].timeline, files[first + index]); });
  return files;
}

}  // namespace paceline
