// A library's collective as a Program names it.
#pragma once

#include "sim/collective/collective.h"
#include "sim/plan/program.h"

namespace paceline {

[[nodiscard]] CommunicationKind program_kind(CollectiveKind kind);

}  // namespace paceline
