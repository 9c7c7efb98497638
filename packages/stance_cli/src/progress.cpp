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

// "[=====>    ]  50 %"
std::string bar(double share) {
  share = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(share * kWidth);
  return fmt::format("[{}{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(full), '='),
                     full < kWidth ? ">" : "",
                     std::string(static_cast<std::size_t>(std::max(0, kWidth - 1 - full)), ' '),
                     100 * share);
}

}  // namespace

std::string progress_line(double time, double duration, std::size_t steps) {
  return fmt::format("{}  {:.1f} of {:g} s, {} steps", bar(time / duration), time, duration, steps);
}

std::string progress_line(std::size_t done, std::size_t of, std::string_view what) {
  return fmt::format("{}  {} of {} {}", bar(static_cast<double>(done) / static_cast<double>(of)),
                     done, of, what);
}

Progress::Progress(bool wanted, double duration, int calls_per_look)
    : on_(wanted && draws()),
      duration_(duration),
      calls_per_look_(calls_per_look),
      next_(std::chrono::steady_clock::now() + kInterval) {}

void Progress::show(double time, std::size_t steps) {
  if (!on_ || ++calls_ < calls_per_look_) return;
  calls_ = 0;
  if (std::chrono::steady_clock::now() < next_) return;
  draw(progress_line(time, duration_, steps));
}

void Progress::show_part(std::size_t done, std::size_t of, std::string_view what) {
  if (!on_ || std::chrono::steady_clock::now() < next_) return;
  draw(progress_line(done, of, what));
}

void Progress::draw(const std::string& line) {
  next_ = std::chrono::steady_clock::now() + kInterval;
  fmt::print(stderr, "\r\x1b[K{}", line);
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
