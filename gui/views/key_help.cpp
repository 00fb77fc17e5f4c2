#include "gui/views/key_help.h"

#include <QGridLayout>
#include <QLabel>
#include <array>
#include <utility>

namespace paceline::gui {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 14> keys{{
    {"W  S", "zoom the timeline in and out, at the pointer"},
    {"wheel", "the same"},
    {"A  D  ←  →", "move left and right"},
    {"↑  ↓", "scroll"},
    {"drag", "move in all directions"},
    {"click", "select a slice: details, and arrows to what it is linked with"},
    {"F", "frame the selection"},
    {"0  Home", "show everything"},
    {"Esc", "clear the selection"},
    {"Ctrl+O", "open a scenario or a trace; or drop the file on the window"},
    {"Ctrl+S", "save the scenario"},
    {"Ctrl+E", "export the predicted timeline as a trace file"},
    {"Ctrl+T", "dark or light"},
    {"?", "this list"},
}};

}  // namespace

KeyHelp::KeyHelp(QWidget* parent) : QFrame(parent) {
  setObjectName("key_help");
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  setFrameShape(QFrame::StyledPanel);
  setFocusPolicy(Qt::StrongFocus);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(24, 18, 24, 18);
  grid->setHorizontalSpacing(24);
  int row = 0;
  for (const auto& [key, meaning] : keys) {
    auto* name = new QLabel(QString::fromUtf8(key), this);
    QFont bold = name->font();
    bold.setBold(true);
    name->setFont(bold);
    grid->addWidget(name, row, 0);
    grid->addWidget(new QLabel(QString::fromUtf8(meaning), this), row, 1);
    ++row;
  }
  hide();
}

void KeyHelp::toggle() {
  if (isVisible()) return hide();
  adjustSize();
  move((parentWidget()->width() - width()) / 2, (parentWidget()->height() - height()) / 2);
  show();
  raise();
  setFocus();
}

}  // namespace paceline::gui
