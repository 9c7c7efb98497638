// A ring between two threads, one that pushes and one that pops. Neither ever waits for the other.
//
// Two counters that only grow: `pushed_` is written by the producer alone, `popped_` by the consumer alone. A release of
// one's own counter and an acquire of the other's make the entries between them visible. Full: the newest is refused, and
// the producer decides what that means.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace stance {

template <class T, std::size_t kCapacity>
class SpscRing {
  static_assert((kCapacity & (kCapacity - 1)) == 0, "a power of two, so that counters may wrap");
  static_assert(std::is_trivially_copyable_v<T>, "an entry is a copy of bytes");
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

 public:
  // The producer's thread. False: full, and nothing was pushed.
  [[nodiscard]] bool push(const T& entry) noexcept {
    const std::uint64_t pushed = pushed_.load(std::memory_order_relaxed);
    if (pushed - popped_.load(std::memory_order_acquire) == kCapacity) return false;
    entries_[pushed % kCapacity] = entry;
    pushed_.store(pushed + 1, std::memory_order_release);
    return true;
  }
  // The consumer's thread. False: empty.
  [[nodiscard]] bool pop(T& entry) noexcept {
    const std::uint64_t popped = popped_.load(std::memory_order_relaxed);
    if (popped == pushed_.load(std::memory_order_acquire)) return false;
    entry = entries_[popped % kCapacity];
    popped_.store(popped + 1, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;  // counters of two threads do not share one
  alignas(kCacheLine) std::atomic<std::uint64_t> pushed_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> popped_{0};
  alignas(kCacheLine) std::array<T, kCapacity> entries_{};
};

}  // namespace stance
