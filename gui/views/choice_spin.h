// A number that may be anything in a range, whose arrows and slider go through the values worth trying.
#pragma once

#include <QSlider>
#include <QSpinBox>
#include <vector>

namespace paceline::gui {

class ChoiceSpin : public QSpinBox {
  Q_OBJECT

 public:
  explicit ChoiceSpin(QWidget* parent = nullptr);

  // Rising. The arrows go to the next choice above or below the value.
  void set_choices(std::vector<int> choices);
  void stepBy(int steps) override;
  // Position of the value among the choices: the last one that is not above it.
  [[nodiscard]] int position() const;
  [[nodiscard]] const std::vector<int>& choices() const { return choices_; }

 protected:
  StepEnabled stepEnabled() const override;

 private:
  std::vector<int> choices_;
};

// The spin box and its slider in a row.
class ChoiceRow : public QWidget {
  Q_OBJECT

 public:
  // The spin box is called `name`, the slider `name`_slider.
  explicit ChoiceRow(const QString& name, QWidget* parent = nullptr);

  void set_choices(int most, std::vector<int> choices);
  void set_value(int value);  // without a signal
  [[nodiscard]] ChoiceSpin* spin() { return spin_; }

 signals:
  void chosen(int value);

 private:
  void place_slider();

  ChoiceSpin* spin_;
  QSlider* slider_;
};

}  // namespace paceline::gui
