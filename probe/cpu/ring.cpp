#include "probe/cpu/ring.h"

#include <algorithm>

namespace paceline {
namespace {

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace

void RingRank::all_reduce(float* data, std::size_t count) {
  for (int step = 0; step + 1 < ranks_; ++step)
    exchange(data, count, rank_ - step, rank_ - step - 1, Arrival::add);
  // Now chunk rank + 1 is complete here.
  for (int step = 0; step + 1 < ranks_; ++step)
    exchange(data, count, rank_ + 1 - step, rank_ - step, Arrival::store);
}

// A token goes round twice: back at rank 0 after the first round, all have arrived; the second lets them go.
void RingRank::barrier() {
  for (int round = 0; round < 2; ++round) {
    if (rank_ != 0) from_left_->token.wait();
    to_right_->token.post();
    if (rank_ == 0) from_left_->token.wait();
  }
}

// Every chunk has the same number of slices, some of them empty, so that sends and receives stay in step and
// no two neighbours can wait for each other.
void RingRank::exchange(float* data, std::size_t count, int send_chunk, int receive_chunk, Arrival arrival) {
  const std::size_t largest_chunk = divide_up(count, static_cast<std::size_t>(ranks_));
  const std::size_t slices = divide_up(largest_chunk, Mailbox::slice);
  for (std::size_t index = 0; index < slices; ++index) {
    send(slice_of(data, count, send_chunk, index));
    receive(slice_of(data, count, receive_chunk, index), arrival);
  }
}

RingRank::Span RingRank::slice_of(float* data, std::size_t count, int chunk, std::size_t index) const {
  const auto ranks = static_cast<std::size_t>(ranks_);
  const auto wrapped = static_cast<std::size_t>((chunk + 2 * ranks_) % ranks_);
  const std::size_t end = count * (wrapped + 1) / ranks;
  const std::size_t begin = std::min(end, count * wrapped / ranks + index * Mailbox::slice);
  return {data + begin, std::min(Mailbox::slice, end - begin)};
}

void RingRank::send(Span from) {
  to_right_->empty.wait();
  std::copy_n(from.begin, from.count, to_right_->slot[sent_++ % Mailbox::slots].begin());
  to_right_->filled.post();
}

void RingRank::receive(Span to, Arrival arrival) {
  from_left_->filled.wait();
  const auto& slot = from_left_->slot[received_++ % Mailbox::slots];
  if (arrival == Arrival::store) {
    std::copy_n(slot.begin(), to.count, to.begin);
  } else {
    std::transform(slot.begin(), slot.begin() + static_cast<std::ptrdiff_t>(to.count), to.begin, to.begin,
                   [](float arrived, float own) { return arrived + own; });
  }
  from_left_->empty.post();
}

}  // namespace paceline
