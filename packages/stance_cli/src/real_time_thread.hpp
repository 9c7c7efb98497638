// Makes the calling thread as real-time as the system permits: memory locked, bound to one processor, first in first out.
// What is not permitted is left, and a note says what would permit it.
#pragma once

#include <string>
#include <vector>

namespace stance {

struct RealTimeWish {
  int cpu = -1;  // -1: the last one that this process may use; the first serves most interrupts
  int priority = 80;  // of SCHED_FIFO, 1 to 99; 0: ordinary scheduling
};

struct RealTimeGrant {
  bool memory_locked = false;
  int cpu = -1;             // -1: not bound
  int priority = 0;         // 0: ordinary scheduling
  bool preempt_rt = false;  // the kernel is fully preemptible
  std::vector<std::string> notes;

  // "CPU 1, SCHED_FIFO 80, memory locked"
  std::string text() const;
};

RealTimeGrant become_real_time(const RealTimeWish& wish);

// Locks no memory any more: what comes after the loop may need more than may be locked.
void release_memory() noexcept;

// The processors that this process may use.
std::vector<int> usable_cpus();

// Uses the stack once, so that a later call finds its pages in memory.
void touch_stack() noexcept;

}  // namespace stance
