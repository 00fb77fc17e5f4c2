// A timeline with the details of its selection beside it.
#pragma once

#include <QSplitter>
#include <memory>

#include "gui/views/details_view.h"
#include "gui/views/timeline_view.h"

namespace paceline::gui {

class TimelinePane : public QSplitter {
  Q_OBJECT

 public:
  // The timeline is called `name`, the details `name`_details.
  explicit TimelinePane(const QString& name, QWidget* parent = nullptr);

  void set_timeline(std::shared_ptr<const TimelineLayout> layout);
  void set_theme(const Theme& theme) { view_->set_theme(theme); }
  [[nodiscard]] TimelineView* view() { return view_; }

 private:
  void show_details();

  TimelineView* view_;
  DetailsView* details_;
};

}  // namespace paceline::gui
