// A crew of pinned threads that work on one thing at once, for those who ask for it: no step of a simulator has one.
//
//   Crew crew(2);                          // the caller and one more
//   crew.run([&](int worker) { ... });     // on all of them; back when the last is done
//
// Between two runs a worker spins for a bounded time, so that the next run finds it awake, and then parks until it is
// woken by a system call. Whoever waits inside a run spins for a bounded time, and then gives the processor away each time
// around, as another thread may need it to get on.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace stance {

// What a thread does while it waits: call once each time around.
class Patience {
 public:
  // `spins` times it keeps its processor, and from then on it gives it away.
  explicit Patience(int spins = kSpins) noexcept : spins_(spins) {}
  void wait() noexcept;
  // True once it would be better to park.
  bool is_over() const noexcept { return rounds_ >= kParkAfter; }

 private:
  static constexpr int kSpins = 2'000;  // some 50 µs
  static constexpr int kParkAfter = 20'000;
  int spins_, rounds_ = 0;
};

class Crew {
 public:
  // `size` workers, the caller included. Workers 1, 2, … are pinned to processors 1, 2, … where there are that many; a
  // machine that does not let them be is no error: is_pinned() says so.
  explicit Crew(int size);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const noexcept { return static_cast<int>(threads_.size()) + 1; }
  bool is_pinned() const noexcept { return pinned_; }
  // For waits inside a run. Where workers have to share processors none is kept from another.
  Patience patience() const noexcept { return pinned_ ? Patience() : Patience(0); }

  // work(worker) on every worker, 0 on the caller. `work` is noexcept, and not run() of the same crew.
  template <class Work>
  void run(const Work& work) noexcept {
    run([](const void* context,
           int worker) noexcept { (*static_cast<const Work*>(context))(worker); },
        &work);
  }

 private:
  using Call = void (*)(const void* context, int worker) noexcept;
  void run(Call call, const void* context) noexcept;
  void serve(int worker) noexcept;

  std::vector<std::thread> threads_;
  alignas(64) std::atomic<std::uint32_t> turn_{0};  // counts runs; the last is all ones: go home
  alignas(64) std::atomic<int> busy_{0};
  Call call_ = nullptr;
  const void* context_ = nullptr;
  bool pinned_ = true;
};

}  // namespace stance
