// The latest of something, between one thread that writes and one that reads. Neither ever waits for the other.
//
// Three slots: one is the writer's, one the reader's, and the third changes hands by an exchange of its number, which
// carries a mark when it holds something new. What the reader misses is overwritten: for states, not for events.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <type_traits>

namespace stance {

template <class T>
class Latest {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(std::atomic<std::size_t>::is_always_lock_free);

 public:
  // The writer's thread: fill slot(), then publish().
  T& slot() noexcept { return slots_[writing_]; }
  void publish() noexcept {
    writing_ = shared_.exchange(writing_ | kNew, std::memory_order_acq_rel) & ~kNew;
  }
  // The reader's thread. True: value() is newer than before.
  [[nodiscard]] bool update() noexcept {
    if ((shared_.load(std::memory_order_relaxed) & kNew) == 0) return false;
    reading_ = shared_.exchange(reading_, std::memory_order_acq_rel) & ~kNew;
    return true;
  }
  const T& value() const noexcept { return slots_[reading_]; }

 private:
  static constexpr std::size_t kNew = 4;
  std::array<T, 3> slots_{};
  std::size_t writing_ = 0, reading_ = 1;
  std::atomic<std::size_t> shared_{2};
};

}  // namespace stance
