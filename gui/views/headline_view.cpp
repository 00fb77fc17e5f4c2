#include "gui/views/headline_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace paceline::gui {
namespace {

constexpr std::array<const char*, figure_count> names{"step", "throughput", "speedup", "communication",
                                                      "memory"};

constexpr std::array<int, figure_count> stretches{10, 10, 9, 12, 11};  // as long as their texts

void set_color(QLabel* label, const QColor& color) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
}

}  // namespace

HeadlineView::HeadlineView(QWidget* parent)
    : QWidget(parent), notes_(new QLabel(this)), theme_(theme_of(ThemeKind::light)) {
  setObjectName("headline");
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  for (std::size_t index = 0; index < cards_.size(); ++index) {
    cards_[index] = make_card(names[index]);
    row->addWidget(cards_[index].frame, stretches[index]);
  }
  notes_->setObjectName("notes");
  notes_->setWordWrap(true);
  notes_->setTextFormat(Qt::PlainText);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(row);
  column->addWidget(notes_);
  set_headline(empty_headline());
}

HeadlineView::Card HeadlineView::make_card(const QString& name) {
  Card card{.frame = new QFrame(this)};
  card.frame->setObjectName("card_" + name);
  card.frame->setAutoFillBackground(true);
  card.frame->setBackgroundRole(QPalette::Base);
  card.title = new QLabel(card.frame);
  card.value = new QLabel(card.frame);
  card.detail = new QLabel(card.frame);
  card.title->setObjectName(name + "_title");
  card.value->setObjectName(name + "_value");
  card.detail->setObjectName(name + "_detail");
  card.detail->setWordWrap(true);
  QFont large = interface_font();
  large.setPointSize(16);
  large.setBold(true);
  card.value->setFont(large);
  auto* column = new QVBoxLayout(card.frame);
  column->setContentsMargins(12, 8, 8, 8);
  column->setSpacing(2);
  for (QLabel* label : {card.title, card.value, card.detail}) {
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::WindowText);  // not the text colour of the card's background
    label->setMinimumWidth(10);                      // a narrow window cuts a label, it does not grow
    column->addWidget(label);
  }
  column->addStretch(1);
  return card;
}

void HeadlineView::set_headline(const Headline& headline) {
  for (std::size_t index = 0; index < cards_.size() && index < headline.figures.size(); ++index) {
    const Figure& figure = headline.figures[index];
    Card& card = cards_[index];
    card.title->setText(QString::fromStdString(figure.title));
    card.value->setText(QString::fromStdString(figure.value));
    card.detail->setText(QString::fromStdString(figure.detail));
    card.detail->setToolTip(card.detail->text());
    card.is_bad = figure.is_bad;
  }
  QStringList lines;
  for (const std::string& note : headline.notes) lines << QString::fromStdString(note);
  notes_->setText(lines.join("\n"));
  notes_->setVisible(!lines.isEmpty());
  is_pale_ = false;
  color();
}

void HeadlineView::set_estimate(const QString& step) {
  cards_[0].value->setText("≈ " + step);
  cards_[0].detail->setText("closed form; simulating …");
  is_pale_ = true;
  color();
}

void HeadlineView::set_theme(const Theme& theme) {
  theme_ = theme;
  color();
}

void HeadlineView::color() {
  for (Card& card : cards_) {
    set_color(card.title, theme_.muted);
    set_color(card.value, card.is_bad ? theme_.bad : is_pale_ ? theme_.muted : theme_.text);
    set_color(card.detail, card.is_bad ? theme_.bad : theme_.muted);
  }
  set_color(notes_, theme_.muted);
}

}  // namespace paceline::gui
