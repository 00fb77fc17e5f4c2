#include "gui/views/details_view.h"

#include <QHeaderView>
#include <QPixmap>
#include <array>

#include "gui/models/slice_details.h"
#include "gui/views/theme.h"

namespace paceline::gui {

DetailsView::DetailsView(const QString& name, QWidget* parent) : QTreeWidget(parent) {
  setObjectName(name);
  setColumnCount(2);
  setRootIsDecorated(false);
  setAlternatingRowColors(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::ClickFocus);  // the keys belong to the timeline
  setSelectionMode(QAbstractItemView::NoSelection);
  header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  header()->setStretchLastSection(true);
  setHeaderLabels({"Selection", ""});
}

void DetailsView::show_slice(const TimelineLayout& layout, SliceId slice) {
  clear();
  setHeaderLabels({"Selection", ""});
  for (const Detail& detail : slice_details(layout, slice)) {
    auto* item = new QTreeWidgetItem(this);
    item->setText(0, QString::fromStdString(detail.name));
    item->setText(1, QString::fromStdString(detail.value));
    item->setToolTip(1, item->text(1).toHtmlEscaped());
  }
}

void DetailsView::show_legend(const TimelineLayout& layout) {
  clear();
  setHeaderLabels({"Colours", "slices"});
  std::array<std::size_t, slice_kind_count> counts{};
  for (SliceId slice = 0; slice < layout.timeline().slice_count(); ++slice)
    ++counts[static_cast<std::size_t>(layout.kind_of(slice))];
  for (std::size_t index = 0; index < counts.size(); ++index) {
    if (counts[index] == 0) continue;
    const auto kind = static_cast<SliceKind>(index);
    QPixmap patch(12, 12);
    patch.fill(color_of(kind));
    auto* item = new QTreeWidgetItem(this);
    item->setIcon(0, patch);
    item->setText(0, QString::fromUtf8(to_string(kind).data()));
    item->setText(1, QString::number(counts[index]));
  }
}

}  // namespace paceline::gui
