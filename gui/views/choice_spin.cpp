#include "gui/views/choice_spin.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

namespace paceline::gui {

ChoiceSpin::ChoiceSpin(QWidget* parent) : QSpinBox(parent) {
  setKeyboardTracking(false);  // "16" is not first "1"
  setAccelerated(true);
}

void ChoiceSpin::set_choices(std::vector<int> choices) { choices_ = std::move(choices); }

int ChoiceSpin::position() const {
  const auto above = std::upper_bound(choices_.begin(), choices_.end(), value());
  return above == choices_.begin() ? 0 : static_cast<int>(above - choices_.begin()) - 1;
}

void ChoiceSpin::stepBy(int steps) {
  for (; steps > 0; --steps) {
    const auto above = std::upper_bound(choices_.begin(), choices_.end(), value());
    if (above != choices_.end()) setValue(*above);
  }
  for (; steps < 0; ++steps) {
    const auto here = std::lower_bound(choices_.begin(), choices_.end(), value());
    if (here != choices_.begin()) setValue(*std::prev(here));
  }
}

QAbstractSpinBox::StepEnabled ChoiceSpin::stepEnabled() const {
  StepEnabled enabled = StepNone;
  if (choices_.empty()) return enabled;
  if (value() < choices_.back()) enabled |= StepUpEnabled;
  if (value() > choices_.front()) enabled |= StepDownEnabled;
  return enabled;
}

ChoiceRow::ChoiceRow(const QString& name, QWidget* parent)
    : QWidget(parent), spin_(new ChoiceSpin(this)), slider_(new QSlider(Qt::Horizontal, this)) {
  setObjectName(name + "_row");
  spin_->setObjectName(name);
  slider_->setObjectName(name + "_slider");
  slider_->setPageStep(1);
  spin_->setFixedWidth(84);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(spin_);
  row->addWidget(slider_, 1);
  connect(spin_, &QSpinBox::valueChanged, this, [this](int value) {
    place_slider();
    emit chosen(value);
  });
  connect(slider_, &QSlider::valueChanged, this,
          [this](int position) { spin_->setValue(spin_->choices().at(static_cast<std::size_t>(position))); });
}

void ChoiceRow::set_choices(int most, std::vector<int> choices) {
  const QSignalBlocker spin_blocker(spin_), slider_blocker(slider_);
  spin_->setRange(choices.front(), std::max(most, choices.back()));
  slider_->setRange(0, static_cast<int>(choices.size()) - 1);
  spin_->set_choices(std::move(choices));
  place_slider();
}

void ChoiceRow::set_value(int value) {
  const QSignalBlocker blocker(spin_);
  spin_->setValue(value);
  place_slider();
}

void ChoiceRow::place_slider() {
  const QSignalBlocker blocker(slider_);
  slider_->setValue(spin_->position());
}

}  // namespace paceline::gui
