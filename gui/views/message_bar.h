// What went wrong, in the window: never a dialog that blocks.
#pragma once

#include <QFrame>
#include <QLabel>

#include "gui/views/theme.h"

namespace paceline::gui {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void show_message(const QString& message);
  void clear();
  [[nodiscard]] QString message() const { return label_->text(); }
  void set_theme(const Theme& theme);

 private:
  QLabel* label_;
};

}  // namespace paceline::gui
