// All that is known of the selected slice; without a selection, what the colours mean.
#pragma once

#include <QTreeWidget>
#include <optional>

#include "gui/models/timeline_layout.h"

namespace paceline::gui {

class DetailsView : public QTreeWidget {
  Q_OBJECT

 public:
  explicit DetailsView(const QString& name, QWidget* parent = nullptr);

  void show_slice(const TimelineLayout& layout, SliceId slice);
  // The kinds that occur.
  void show_legend(const TimelineLayout& layout);
};

}  // namespace paceline::gui
