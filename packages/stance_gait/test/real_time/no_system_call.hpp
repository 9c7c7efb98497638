// Runs a function where every system call is forbidden by the kernel (seccomp): the strongest proof that it reads and
// writes nothing, sleeps nowhere, grows no heap and waits for no lock, whatever library it calls and however.
//
//   const Confined done = run_without_system_calls([&] { return step_many_times(); });
//   EXPECT_EQ(done.how, Confined::How::kFinished) << done.text();
//
// It runs in a child process, from which only the returned number comes back.
#pragma once

#include <functional>
#include <string>

namespace stance::test {

struct Confined {
  enum class How {
    kFinished,     // `result` is what the function returned
    kSystemCall,   // it made system call number `number` and was ended there
    kSignal,       // it died of signal `number`
    kUnavailable,  // this kernel or container lets nobody forbid system calls
  } how = How::kUnavailable;
  long number = 0;
  long result = 0;

  std::string text() const;
};

Confined run_without_system_calls(const std::function<long()>& function);

}  // namespace stance::test
