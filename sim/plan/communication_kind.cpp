#include "sim/plan/communication_kind.h"

namespace paceline {

CommunicationKind program_kind(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return CommunicationKind::all_reduce;
    case CollectiveKind::all_gather:
      return CommunicationKind::all_gather;
    case CollectiveKind::reduce_scatter:
      return CommunicationKind::reduce_scatter;
    case CollectiveKind::broadcast:
      return CommunicationKind::broadcast;
    case CollectiveKind::reduce:
      return CommunicationKind::reduce;
    case CollectiveKind::all_to_all:
      return CommunicationKind::all_to_all;
    case CollectiveKind::send_receive:
      return CommunicationKind::send_receive;
  }
  return CommunicationKind::all_reduce;
}

}  // namespace paceline
