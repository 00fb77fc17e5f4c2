// The keys, over the window until the next key or click.
#pragma once

#include <QFrame>

namespace paceline::gui {

class KeyHelp : public QFrame {
  Q_OBJECT

 public:
  explicit KeyHelp(QWidget* parent);

  void toggle();

 protected:
  void mousePressEvent(QMouseEvent*) override { hide(); }
  void keyPressEvent(QKeyEvent*) override { hide(); }
};

}  // namespace paceline::gui
