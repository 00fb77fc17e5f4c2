// From a cluster and a group of its ranks to what the laws and the library's tuner look at.
#pragma once

#include "sim/collective/nccl_graph.h"
#include "sim/collective/terms.h"
#include "sim/hardware/hardware_catalog.h"

namespace paceline {

// Everything but the message size; see sized().
// Throws InputError when the group has several nodes and the cluster no network, or the device links that the
// catalog has no constants for.
[[nodiscard]] GroupTerms group_terms(const HardwareCatalog& catalog, const Cluster& cluster,
                                     CollectiveKind kind, const CollectiveGroup& group,
                                     const CollectiveSettings& settings);
// The same group with a message of `bytes`.
[[nodiscard]] GroupTerms sized(GroupTerms terms, Bytes bytes);

[[nodiscard]] NcclMachine nccl_machine(const HardwareCatalog& catalog, const Cluster& cluster,
                                       const CollectiveGroup& group, const GroupTerms& terms);

// The link constants that rings inside a node of the cluster have.
[[nodiscard]] const LinkConstants& inner_link(const HardwareCatalog& catalog, const Cluster& cluster,
                                              int local_ranks);
[[nodiscard]] const LinkConstants& slot_link(const HardwareCatalog& catalog, const Cluster& cluster);

// Machines of which predictions miss alike.
[[nodiscard]] CollectiveConstants::Class collective_class(const Cluster& cluster, const GroupTerms& terms);

// NICs of a node that a group of `local` of its devices reaches: its share of them, at least one.
[[nodiscard]] int group_nics(const Cluster& cluster, int local);

}  // namespace paceline
