#include "sim/hardware/dragonfly.h"

#include <algorithm>

namespace paceline {
namespace {

class Loads {
 public:
  explicit Loads(const Dragonfly& shape)
      : shape_(shape),
        links_(links_between_groups(shape)),
        local_(static_cast<std::size_t>(shape.groups) * square(shape.routers_per_group), 0),
        global_(square(shape.groups), 0) {}

  [[nodiscard]] int group_of(int router) const { return router / shape_.routers_per_group; }

  // Between two routers, counted over all groups.
  void add(int from, int to, double amount) {
    const int a = group_of(from), b = group_of(to);
    if (a == b) {
      add_local(from, to, amount);
      return;
    }
    leave(from, b, amount);
    arrive(a, to, amount);
    cross(a, b, amount);
  }
  void leave(int router, int other, double amount) {
    const int group = group_of(router);
    for (int index = 0; index < links_; ++index)
      add_local(router, group * shape_.routers_per_group + gateway(shape_, group, other, index),
                amount / links_);
  }
  void arrive(int other, int router, double amount) {
    const int group = group_of(router);
    for (int index = 0; index < links_; ++index)
      add_local(group * shape_.routers_per_group + gateway(shape_, group, other, index), router,
                amount / links_);
  }
  void cross(int from_group, int to_group, double amount) {
    global_[static_cast<std::size_t>(from_group * shape_.groups + to_group)] += amount / links_;
  }
  void add_local(int from, int to, double amount) {
    if (from == to) return;
    const int at = from * shape_.routers_per_group + to % shape_.routers_per_group;
    local_[static_cast<std::size_t>(at)] += amount;
  }

  [[nodiscard]] double share(double link) const {
    const double load = std::max(*std::max_element(local_.begin(), local_.end()),
                                 *std::max_element(global_.begin(), global_.end()));
    return load > 0 ? std::min(1.0, link / load) : 1;
  }

 private:
  static std::size_t square(int count) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(count);
  }

  const Dragonfly& shape_;
  int links_;
  std::vector<double> local_, global_;  // of each link
};

}  // namespace

int links_between_groups(const Dragonfly& shape) {
  return shape.routers_per_group * shape.global_links / (shape.groups - 1);
}

int gateway(const Dragonfly& shape, int group, int other, int index) {
  const int turn = other < group ? other : other - 1;
  return (turn * links_between_groups(shape) + index) / shape.global_links;
}

double dragonfly_share(const Dragonfly& shape, const std::vector<Flow>& flows, double link) {
  Loads loads(shape);
  for (const Flow& flow : flows)
    loads.add(flow.from / shape.hosts_per_router, flow.to / shape.hosts_per_router, flow.amount);
  return loads.share(link);
}

double dragonfly_all_to_all_share(const Dragonfly& shape, const std::vector<int>& nodes, double link) {
  const int a = shape.routers_per_group;
  std::vector<double> at_router(static_cast<std::size_t>(shape.groups * a), 0);
  std::vector<double> in_group(static_cast<std::size_t>(shape.groups), 0);
  for (const int node : nodes) {
    ++at_router[static_cast<std::size_t>(node / shape.hosts_per_router)];
    ++in_group[static_cast<std::size_t>(node / shape.hosts_per_router / a)];
  }
  const double others = static_cast<double>(nodes.size()) - 1;
  Loads loads(shape);
  for (int router = 0; router < shape.groups * a; ++router) {
    const double here = at_router[static_cast<std::size_t>(router)];
    if (here == 0) continue;
    const int group = router / a;
    for (int peer = group * a; peer < (group + 1) * a; ++peer)
      loads.add_local(router, peer, here * at_router[static_cast<std::size_t>(peer)] / others);
    for (int other = 0; other < shape.groups; ++other) {
      const double amount = here * in_group[static_cast<std::size_t>(other)] / others;
      if (other == group || amount == 0) continue;
      loads.leave(router, other, amount);
      loads.arrive(other, router, amount);
      loads.cross(group, other, amount);
    }
  }
  return loads.share(link);
}

}  // namespace paceline
