#include "gui/views/timeline_pane.h"

#include <utility>

namespace paceline::gui {

TimelinePane::TimelinePane(const QString& name, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      view_(new TimelineView(name, this)),
      details_(new DetailsView(name + "_details", this)) {
  setObjectName(name + "_pane");
  setChildrenCollapsible(false);
  addWidget(view_);
  addWidget(details_);
  setStretchFactor(0, 1);
  setStretchFactor(1, 0);
  setSizes({800, 230});
  details_->setMinimumWidth(160);
  connect(view_, &TimelineView::selection_changed, this, &TimelinePane::show_details);
}

void TimelinePane::set_timeline(std::shared_ptr<const TimelineLayout> layout) {
  view_->set_layout(std::move(layout));
}

void TimelinePane::show_details() {
  const TimelineLayout* layout = view_->timeline_layout();
  if (!layout) return details_->clear();
  if (view_->selected()) {
    details_->show_slice(*layout, *view_->selected());
  } else {
    details_->show_legend(*layout);
  }
}

}  // namespace paceline::gui
