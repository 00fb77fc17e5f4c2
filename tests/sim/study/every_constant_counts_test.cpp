// No constant of the catalog is ignored: changing any of them changes some prediction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "sim/study/predict.h"
#include "tests/sim/support/step.h"
#include "tests/sim/support/temp_folder.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

// Every number and quantity of a file, by its place. How layers of split transformers run is none of these
// scenarios' business: tests/sim/cost/transformer asks the same of them.
std::vector<std::string> places_of_numbers(const Json& json) {
  std::vector<std::string> places;
  const Json flat = json.flatten();
  for (const auto& item : flat.items()) {
    const bool is_quantity =
        item.value().is_string() && !item.value().get<std::string>().empty() &&
        std::isdigit(static_cast<unsigned char>(item.value().get<std::string>()[0])) != 0;
    if (item.key().starts_with("/transformer/")) continue;
    if (item.key() == "/node_spread") continue;  // of measured tables: measured_operators_test
    const bool is_text = item.key().find("source") != std::string::npos || item.key() == "/format";
    if (!is_text && (item.value().is_number() || is_quantity)) places.push_back(item.key());
  }
  return places;
}

// "6us" times 1.25 is "7.5us"; numbers that are whole stay so; what is 0 becomes a little more.
Json times(const Json& value, double factor) {
  if (value.is_number_integer()) return static_cast<std::int64_t>(value.get<double>() * factor);
  if (value.is_number()) return value.get<double>() == 0 ? 0.01 : value.get<double>() * factor;
  const std::string text = value.get<std::string>();
  std::size_t digits = 0;
  const double number = std::stod(text, &digits);
  return std::to_string(number * factor) + text.substr(digits);
}

Scenario scenario(const std::string& model, const std::string& cluster, StrategyKind kind, int devices,
                  Precision precision = Precision::fp32) {
  Scenario asked;
  asked.model = model;
  asked.cluster = cluster;
  asked.devices = devices;
  asked.precision = precision;
  asked.strategy.kind = kind;
  return asked;
}

// Scenarios that between them go through every law and every kind of layer.
std::vector<Scenario> scenarios() {
  constexpr StrategyKind dp = StrategyKind::data_parallel, ddp = StrategyKind::distributed_data_parallel,
                         horovod = StrategyKind::horovod;
  std::vector<Scenario> list{scenario("resnet50", "dgx-1v", ddp, 8),
                             scenario("resnet50", "8x-v100-nvlink-ib-100", ddp, 32),
                             scenario("resnet50", "dgx-1v", dp, 4, Precision::fp16),
                             scenario("vgg16", "4x-v100-pcie", ddp, 4),
                             scenario("gpt2", "2x-rtx-3090", dp, 2),
                             scenario("bert-base", "dgx-h100", ddp, 16, Precision::fp16),
                             scenario("efficientnet-b0", "dgx-1v", ddp, 8, Precision::fp16),
                             scenario("efficientnet-b0", "dgx-1v", ddp, 2),
                             scenario("efficientnet-b0", "dgx-a100-80", ddp, 8, Precision::tf32),
                             scenario("resnext50_32x4d", "dgx-1v", ddp, 8),
                             scenario("resnext50_32x4d", "dgx-1v", ddp, 2, Precision::fp16),
                             scenario("resnext50_32x4d", "dgx-a100-80", ddp, 2, Precision::tf32),
                             scenario("bert-base", "dgx-a100-80", ddp, 8, Precision::tf32),
                             scenario("resnet50", "8x-1080ti-10gbe", dp, 8),
                             scenario("vgg16", "dgx-h100", ddp, 8, Precision::fp16),
                             scenario("vgg16", "dgx-h100", dp, 8, Precision::fp16),
                             scenario("resnet18", "2x-rtx-3090", ddp, 2),
                             scenario("resnet18", "8x-v100-nvlink-ib-100", horovod, 16),
                             scenario("efficientnet-b0", "dgx-1v", StrategyKind::single, 1),
                             scenario("resnet18", "dgx-1v", StrategyKind::single, 1)};
  for (std::size_t last = list.size() - 2; last < list.size(); ++last)
    list[last].strategy.framework = "pytorch-ngc";  // which SetUp makes a compiled one
  for (const char* bucket : {"16KiB", "256KiB", "2MiB"}) {
    for (const char* cluster : {"8x-v100-nvlink-ib-100", "dgx-h100", "8x-h100-pcie"}) {
      const int devices = std::string(cluster) == "8x-h100-pcie" ? 2 : 16;
      list.push_back(scenario("resnet18", cluster, ddp, devices, Precision::fp16));
      list.back().strategy.first_bucket = list.back().strategy.bucket_cap = parse_quantity<Bytes>(bucket);
    }
  }
  Scenario factors = scenario("efficientnet-b0", "8x-v100-nvlink-ib-100", ddp, 16);
  factors.strategy.hook = GradientHook::power_sgd;
  factors.strategy.hook_rank = 2;
  list.push_back(factors);
  Scenario host_bound = scenario("bert-base", "dgx-1v", StrategyKind::single, 1, Precision::fp16);
  host_bound.batch_per_device = 1;
  list.push_back(host_bound);
  Scenario negotiated = scenario("resnet18", "8x-v100-nvlink-ib-100", horovod, 16);
  negotiated.batch_per_device = 1;
  list.push_back(negotiated);
  for (const char* optimizer : {"momentum", "adam", "lamb", "lars", "rmsprop"}) {
    list.push_back(scenario("resnet18", "dgx-1v", StrategyKind::single, 1));
    const auto& names = optimizer_names();
    list.back().strategy.optimizer =
        static_cast<Optimizer>(std::find(names.begin(), names.end(), optimizer) - names.begin());
  }
  return list;
}

std::vector<double> outputs(const Catalog& catalog, const Scenario& asked) {
  const Prediction answer = predict(catalog, asked);
  return {answer.step.value(), answer.step_high.value(), answer.breakdown.forward.value(),
          answer.breakdown.communication.value(), answer.first_device_peak().value()};
}

// Collectives that no strategy above uses, at sizes that go through every protocol.
std::vector<double> collective_times(const Catalog& catalog) {
  std::vector<double> times;
  for (const char* name : {"dgx-1v", "dgx-2", "dgx-h100", "8x-h100-pcie"}) {
    const Cluster& cluster = catalog.hardware.cluster(name);
    const CollectiveCost cost(catalog.hardware, cluster, nullptr);
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_to_all})
      for (double size = 1024; size < 1e9; size *= 4)
        times.push_back(cost.collective(kind, Bytes(size), {8, cluster.devices_per_node}).total().value());
  }
  return times;
}

class Constants : public test::TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    std::filesystem::copy(test::data_folder(), folder_, std::filesystem::copy_options::recursive);
    Json compiled = Json::parse(read_file(path("frameworks/pytorch-ngc.json")));
    compiled["fused"] = true;
    write("frameworks/pytorch-ngc.json", compiled.dump());
    const Catalog catalog = Catalog::load(folder_.string());
    for (const Scenario& asked : scenarios_) before_.push_back(outputs(catalog, asked));
    collectives_before_ = collective_times(catalog);
  }

  [[nodiscard]] bool moves_something() const {
    const Catalog catalog = Catalog::load(folder_.string());
    if (collective_times(catalog) != collectives_before_) return true;
    for (std::size_t each = 0; each < scenarios_.size(); ++each)
      if (outputs(catalog, scenarios_[each]) != before_[each]) return true;
    return false;
  }
  // More, less, or so little that a limit which nothing comes near does something; where the reader allows
  // it.
  [[nodiscard]] bool counts(const std::string& file, const Json& original, const std::string& place) const {
    for (const double factor : {0.75, 1.25, 1e-5}) {
      Json changed = original;
      Json& value = changed[Json::json_pointer(place)];
      value = times(value, factor);
      write(file, changed.dump());
      try {
        if (moves_something()) return true;
      } catch (const InputError&) {
      }
    }
    return false;
  }
  void expect_that_every_number_counts(const std::string& file) const {
    const Json original = Json::parse(read_file(path(file)));
    for (const std::string& place : places_of_numbers(original))
      EXPECT_TRUE(counts(file, original, place)) << file << ' ' << place;
    write(file, original.dump());
  }

  const std::vector<Scenario> scenarios_ = scenarios();
  std::vector<std::vector<double>> before_;
  std::vector<double> collectives_before_;
};

TEST_F(Constants, OfLinksCount) {
  for (const char* file : {"links/nvlink-volta.json", "links/nvlink-hopper.json", "links/pcie.json"})
    expect_that_every_number_counts(file);
}

TEST_F(Constants, OfFabricsCount) { expect_that_every_number_counts("fabrics/infiniband.json"); }

TEST_F(Constants, OfFrameworksCount) { expect_that_every_number_counts("frameworks/pytorch.json"); }

TEST_F(Constants, OfKernelsCount) { expect_that_every_number_counts("kernels/cudnn-cublas.json"); }

TEST_F(Constants, OfArchitecturesCount) { expect_that_every_number_counts("architectures/volta.json"); }

}  // namespace
}  // namespace paceline
