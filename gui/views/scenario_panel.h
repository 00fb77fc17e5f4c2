// The controls that edit the ScenarioModel.
#pragma once

#include <QComboBox>
#include <QWidget>

#include "gui/models/scenario_model.h"
#include "gui/views/choice_spin.h"

class QFormLayout;

namespace paceline::gui {

class ScenarioPanel : public QWidget {
  Q_OBJECT

 public:
  // The model must outlive the panel.
  explicit ScenarioPanel(ScenarioModel& model, QWidget* parent = nullptr);

 private:
  QComboBox* add_combo(QFormLayout* form, const QString& label, const QString& name);
  ChoiceRow* add_choice(QFormLayout* form, const QString& label, const QString& name);
  void fill_combos();
  void connect_controls();
  void show_scenario();

  ScenarioModel& model_;
  QComboBox *model_combo_, *cluster_, *strategy_, *precision_, *optimizer_, *framework_;
  ChoiceRow *devices_, *batch_, *accumulation_, *sequence_, *bucket_;
};

}  // namespace paceline::gui
