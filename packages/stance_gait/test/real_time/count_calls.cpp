#include "count_calls.hpp"

namespace {
// zero-initialised: the first use allocates nothing
thread_local std::array<long, stance::test::kCallKinds> counts;
}  // namespace

// Called by stand_ins.cpp, which includes nothing.
extern "C" void stance_count_call(int kind) { ++counts[static_cast<std::size_t>(kind)]; }

namespace stance::test {

const char* to_string(Call call) {
  constexpr const char* kNames[kCallKinds] = {"heap", "lock",  "file",  "text",
                                              "wait", "clock", "throw", "system"};
  return kNames[static_cast<int>(call)];
}

CountCalls::CountCalls() noexcept : start_(counts) {}

long CountCalls::count(Call call) const noexcept {
  const auto k = static_cast<std::size_t>(call);
  return counts[k] - start_[k] + (call == Call::kHeap ? heap_.calls() : 0);
}

long CountCalls::total() const noexcept {
  long sum = 0;
  for (int k = 0; k < kCallKinds; ++k) sum += count(static_cast<Call>(k));
  return sum;
}

std::string CountCalls::text() const {
  std::array<long, kCallKinds> now;  // before the text, which uses the heap itself
  for (std::size_t k = 0; k < now.size(); ++k) now[k] = count(static_cast<Call>(k));
  std::string text;
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (now[k] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(now[k]) + " " +
            to_string(static_cast<Call>(k));
  }
  return text.empty() ? "none" : text;
}

}  // namespace stance::test
