#include "stance_core/base/crew.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace stance {
namespace {

constexpr std::uint32_t kGoHome = ~std::uint32_t{0};

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// To the processor of that number among those this process may use.
bool pin(std::thread& thread, int number) noexcept {
#if defined(__linux__)
  cpu_set_t allowed, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return false;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || number-- > 0) continue;
    CPU_SET(cpu, &one);
    return pthread_setaffinity_np(thread.native_handle(), sizeof(one), &one) == 0;
  }
#endif
  (void)thread, (void)number;
  return false;
}

}  // namespace

void Patience::wait() noexcept {
  if (++rounds_ <= spins_) {
    pause();
  } else {
    std::this_thread::yield();
  }
}

Crew::Crew(int size) {
  for (int worker = 1; worker < size; ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
    pinned_ &= pin(threads_.back(), worker);  // read by the caller alone
  }
}

Crew::~Crew() {
  turn_.store(kGoHome, std::memory_order_release);
  turn_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::run(Call call, const void* context) noexcept {
  if (!threads_.empty()) {
    call_ = call, context_ = context;
    busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    std::uint32_t next = turn_.load(std::memory_order_relaxed) + 1;
    if (next == kGoHome) next = 0;
    turn_.store(next, std::memory_order_release);
    turn_.notify_all();
  }
  call(context, 0);
  for (Patience waits = patience(); busy_.load(std::memory_order_acquire) != 0;) waits.wait();
}

void Crew::serve(int worker) noexcept {
  std::uint32_t seen = 0;
  for (;;) {
    std::uint32_t turn = turn_.load(std::memory_order_acquire);
    for (Patience waits; turn == seen && !waits.is_over();) {
      waits.wait();
      turn = turn_.load(std::memory_order_acquire);
    }
    if (turn == seen) {
      turn_.wait(seen, std::memory_order_acquire);
      continue;
    }
    if (turn == kGoHome) return;
    seen = turn;
    call_(context_, worker);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace stance
