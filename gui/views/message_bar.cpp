#include "gui/views/message_bar.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace paceline::gui {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), label_(new QLabel(this)) {
  setObjectName("message_bar");
  setAutoFillBackground(true);
  label_->setObjectName("message");
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);  // messages quote what files contain
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QToolButton(this);
  close->setObjectName("message_close");
  close->setText("✕");
  close->setToolTip("Close this message");
  close->setAutoRaise(true);
  connect(close, &QToolButton::clicked, this, &MessageBar::clear);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 6, 6);
  row->addWidget(label_, 1);
  row->addWidget(close);
  hide();
}

void MessageBar::show_message(const QString& message) {
  label_->setText(message);
  show();
}

void MessageBar::clear() {
  label_->clear();
  hide();
}

void MessageBar::set_theme(const Theme& theme) {
  QPalette colors = palette();
  colors.setColor(QPalette::Window, theme.bad_background);
  colors.setColor(QPalette::WindowText, theme.bad);
  setPalette(colors);
}

}  // namespace paceline::gui
