// Counts heap calls in a scope: every operator new and delete, and malloc and its kin below them.
//
//   CountHeap heap;
//   step();
//   EXPECT_EQ(heap.calls(), 0);
//
// Link count_heap.cpp into the program. Calls of this thread count, others' do not. Under the address and thread
// sanitizers, which replace malloc themselves, nothing is counted: works() says so.
#pragma once

namespace stance::test {

class CountHeap {
 public:
  CountHeap() noexcept : start_(total()) {}
  // Allocations and releases since this object was made.
  long calls() const noexcept { return total() - start_; }
  // False where a sanitizer owns the heap.
  static bool works() noexcept;

 private:
  static long total() noexcept;
  long start_;
};

}  // namespace stance::test
