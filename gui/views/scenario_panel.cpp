#include "gui/views/scenario_panel.h"

#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace paceline::gui {
namespace {

std::vector<int> powers_of_two(int first, int last) {
  std::vector<int> powers;
  for (int power = first; power <= last; power *= 2) powers.push_back(power);
  return powers;
}

void select(QComboBox* combo, const std::string& name) {
  const QSignalBlocker blocker(combo);
  combo->setCurrentIndex(combo->findData(QString::fromStdString(name)));
  combo->setToolTip(combo->currentText());
}

void select(QComboBox* combo, std::size_t index) {
  const QSignalBlocker blocker(combo);
  combo->setCurrentIndex(static_cast<int>(index));
}

std::string chosen_name(const QComboBox* combo) { return combo->currentData().toString().toStdString(); }

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  label->setObjectName("heading_" + text.toLower());
  return label;
}

}  // namespace

ScenarioPanel::ScenarioPanel(ScenarioModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setObjectName("scenario_panel");
  auto* form = new QFormLayout(this);
  form->setContentsMargins(12, 10, 12, 10);
  form->setVerticalSpacing(7);
  form->setHorizontalSpacing(10);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(heading("Hardware"));
  cluster_ = add_combo(form, "Cluster", "cluster");
  devices_ = add_choice(form, "Devices", "devices");
  form->addRow(heading("Workload"));
  model_combo_ = add_combo(form, "Model", "model");
  precision_ = add_combo(form, "Precision", "precision");
  batch_ = add_choice(form, "Batch / device", "batch");
  accumulation_ = add_choice(form, "Micro-batches", "accumulation");
  sequence_ = add_choice(form, "Sequence", "sequence");
  optimizer_ = add_combo(form, "Optimizer", "optimizer");
  form->addRow(heading("Parallelism"));
  strategy_ = add_combo(form, "Strategy", "strategy");
  bucket_ = add_choice(form, "Bucket, MiB", "bucket");
  framework_ = add_combo(form, "Framework", "framework");
  fill_combos();
  batch_->set_choices(1 << 16, powers_of_two(1, 1024));
  accumulation_->set_choices(1024, powers_of_two(1, 64));
  sequence_->set_choices(1 << 20, powers_of_two(64, 1 << 15));
  sequence_->spin()->setMinimum(1);
  bucket_->set_choices(1 << 16, {1, 2, 5, 10, 25, 50, 100, 200, 400, 800});
  connect_controls();
  connect(&model_, &ScenarioModel::changed, this, &ScenarioPanel::show_scenario);
  show_scenario();
}

QComboBox* ScenarioPanel::add_combo(QFormLayout* form, const QString& label, const QString& name) {
  auto* combo = new QComboBox(this);
  combo->setObjectName(name);
  combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo->setMinimumContentsLength(12);
  combo->setMaxVisibleItems(24);
  form->addRow(label, combo);
  return combo;
}

ChoiceRow* ScenarioPanel::add_choice(QFormLayout* form, const QString& label, const QString& name) {
  auto* row = new ChoiceRow(name, this);
  form->addRow(label, row);
  return row;
}

void ScenarioPanel::fill_combos() {
  const Catalog& catalog = model_.catalog();
  const auto add = [](QComboBox* combo, const std::string& title, const std::string& name) {
    combo->addItem(QString::fromStdString(title), QString::fromStdString(name));
  };
  for (const std::string& name : catalog.models.names()) add(model_combo_, catalog.models.title(name), name);
  for (const std::string& name : catalog.hardware.cluster_names())
    add(cluster_, catalog.hardware.cluster(name).title, name);
  for (const std::string& name : catalog.frameworks.names())
    add(framework_, catalog.frameworks.framework(name).title, name);
  for (const std::string& name : precision_names()) add(precision_, name, name);
  for (const std::string& name : optimizer_names()) add(optimizer_, name, name);
  for (std::size_t kind = 0; kind < strategy_names().size(); ++kind)
    add(strategy_, title_of(static_cast<StrategyKind>(kind)), strategy_names()[kind]);
}

void ScenarioPanel::connect_controls() {
  const auto on = [this](QComboBox* combo, auto change) {
    connect(combo, &QComboBox::currentIndexChanged, this, change);
  };
  const auto edit = [this](auto change) {
    return [this, change](int value) { model_.edit([&](Scenario& scenario) { change(scenario, value); }); };
  };
  on(model_combo_, [this] { model_.set_model(chosen_name(model_combo_)); });
  on(cluster_, [this] { model_.set_cluster(chosen_name(cluster_)); });
  on(strategy_, [this](int kind) { model_.set_strategy(static_cast<StrategyKind>(kind)); });
  on(precision_, edit([](Scenario& s, int value) { s.precision = static_cast<Precision>(value); }));
  on(optimizer_, edit([](Scenario& s, int value) { s.strategy.optimizer = static_cast<Optimizer>(value); }));
  on(framework_, [this] {
    model_.edit([this](Scenario& scenario) { scenario.strategy.framework = chosen_name(framework_); });
  });
  connect(devices_, &ChoiceRow::chosen, &model_, &ScenarioModel::set_devices);
  connect(batch_, &ChoiceRow::chosen, this, edit([](Scenario& s, int value) { s.batch_per_device = value; }));
  connect(accumulation_, &ChoiceRow::chosen, this,
          edit([](Scenario& s, int value) { s.strategy.accumulation = value; }));
  connect(sequence_, &ChoiceRow::chosen, this,
          edit([](Scenario& s, int value) { s.input.sequence = value; }));
  connect(bucket_, &ChoiceRow::chosen, this,
          edit([](Scenario& s, int value) { s.strategy.bucket_cap = mebibytes(value); }));
}

void ScenarioPanel::show_scenario() {
  const Scenario& scenario = model_.scenario();
  const StrategyKind kind = scenario.strategy.kind;
  select(model_combo_, scenario.model);
  select(cluster_, scenario.cluster);
  select(framework_, scenario.strategy.framework);
  select(strategy_, static_cast<std::size_t>(kind));
  select(precision_, static_cast<std::size_t>(scenario.precision));
  select(optimizer_, static_cast<std::size_t>(scenario.strategy.optimizer));
  devices_->set_choices(model_.most_devices(), model_.device_counts());
  devices_->set_value(scenario.devices);
  devices_->setEnabled(kind != StrategyKind::single);
  batch_->set_value(scenario.batch_per_device);
  accumulation_->set_value(scenario.strategy.accumulation);
  sequence_->setEnabled(model_.sequence() > 0);
  sequence_->spin()->setSpecialValueText(model_.sequence() > 0 ? "" : "–");
  sequence_->set_value(static_cast<int>(std::max<std::int64_t>(1, model_.sequence())));
  bucket_->set_value(static_cast<int>(std::lround(model_.bucket_cap() / mebibytes(1))));
  bucket_->setEnabled(kind == StrategyKind::distributed_data_parallel);
}

}  // namespace paceline::gui
