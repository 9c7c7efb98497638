// Counts, in a scope, what may not happen in a step: calls of the heap, locks, files, text being put together, waits,
// looks at the clock, exceptions, and system calls by number. Calls of this thread count, others' do not.
//
//   const CountCalls calls;
//   step();
//   EXPECT_EQ(calls.total(), 0) << calls.text();
//
// Link stand_ins.cpp, and count_heap.cpp of stance_core's tests, into the program: they stand in for the functions of
// the C library and hand every call on. What the C library does inside itself is not seen here, but a system call that
// comes of it is, by no_system_call.hpp. A lock made of atomics alone is seen by neither.
#pragma once

#include <array>
#include <string>

#include "support/count_heap.hpp"

namespace stance::test {

enum class Call : int { kHeap, kLock, kFile, kText, kWait, kClock, kThrow, kSystem };
inline constexpr int kCallKinds = 8;

const char* to_string(Call call);

class CountCalls {
 public:
  CountCalls() noexcept;
  // Since this object was made.
  long count(Call call) const noexcept;
  long total() const noexcept;
  // Those that are not zero, such as "3 heap, 1 lock".
  std::string text() const;
  // False where a sanitizer stands in for these functions itself.
  static bool works() noexcept { return CountHeap::works(); }

 private:
  CountHeap heap_;
  std::array<long, kCallKinds> start_;
};

}  // namespace stance::test
