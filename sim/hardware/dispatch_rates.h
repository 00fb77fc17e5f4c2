// How fast tokens reach their experts: by kernels that send a token once to every rank that needs it (DeepEP,
// HybridEP), and by a plain all-to-all inside a training step. Read from scenarios/collectives/dispatch.json
// ("paceline/dispatch-1").
#pragma once

#include <string>
#include <vector>

#include "base/json_reader.h"
#include "base/quantity.h"

namespace paceline {

struct DispatchRates {
  // Of one rank sending over `link`, in NVLink domains of up to `ranks` devices.
  struct Domain {
    std::string link;
    int ranks = 8;
    BytesPerSecond rate;
  };

  Seconds start;  // of one exchange
  std::vector<Domain> domains;
  BytesPerSecond network;  // of one rank, between domains
  // All-to-all: of the raw rate of a device's links, and of its NIC's.
  double link_share = 1, network_share = 1;
  double eight_bit_time = 1;  // of a dispatch in 8 bit, against 16

  // Of the smallest known domain that holds `ranks` devices on `link`. Throws InputError when there is none.
  [[nodiscard]] BytesPerSecond rate(const std::string& link, int ranks) const;
};

[[nodiscard]] DispatchRates read_dispatch_rates(const JsonValue& value);

}  // namespace paceline
