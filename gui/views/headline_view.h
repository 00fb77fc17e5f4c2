// The figures of the answer side by side, and the notes below them.
#pragma once

#include <QFrame>
#include <QLabel>
#include <array>

#include "gui/models/headline.h"
#include "gui/views/theme.h"

namespace paceline::gui {

class HeadlineView : public QWidget {
  Q_OBJECT

 public:
  explicit HeadlineView(QWidget* parent = nullptr);

  void set_headline(const Headline& headline);
  // While the answer is computed: the closed form's step time, marked as such; the rest turns pale.
  void set_estimate(const QString& step);
  void set_theme(const Theme& theme);

 private:
  struct Card {
    QFrame* frame = nullptr;
    QLabel *title = nullptr, *value = nullptr, *detail = nullptr;
    bool is_bad = false;
  };

  Card make_card(const QString& name);
  void color();

  std::array<Card, figure_count> cards_;
  QLabel* notes_;
  Theme theme_;
  bool is_pale_ = false;
};

}  // namespace paceline::gui
