#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stance {
namespace {

constexpr int kWidth = 30;
constexpr auto kInterval = std::chrono::milliseconds(100);

bool draws() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

std::string progress_line(double time, double duration, std::size_t steps) {
  const double share = std::clamp(time / duration, 0.0, 1.0);
  const int full = static_cast<int>(share * kWidth);
  const std::string bar = std::string(static_cast<std::size_t>(full), '=') +
                          (full < kWidth ? ">" : "") +
                          std::string(static_cast<std::size_t>(std::max(0, kWidth - 1 - full)),
                                      ' ');
  return fmt::format("[{}] {:3.0f} %  {:.1f} of {:g} s, {} steps", bar, 100 * share, time, duration,
                     steps);
}

Progress::Progress(bool wanted, double duration, int calls_per_look)
    : on_(wanted && draws()),
      duration_(duration),
      calls_per_look_(calls_per_look),
      next_(std::chrono::steady_clock::now() + kInterval) {}

void Progress::show(double time, std::size_t steps) {
  if (!on_ || ++calls_ < calls_per_look_) return;
  calls_ = 0;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  fmt::print(stderr, "\r\x1b[K{}", progress_line(time, duration_, steps));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace stance
