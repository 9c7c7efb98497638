// A progress bar on standard error, where that is a terminal; nothing at all in a pipe or a file.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace stance {

class Progress {
 public:
  // `wanted` false: never draws. Only every so many calls look at the clock.
  Progress(bool wanted, double duration, int calls_per_look = 64);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most ten times a second.
  void show(double time, std::size_t steps);
  // The same for work in parts that take their time: "12 of 40 slopes".
  void show_part(std::size_t done, std::size_t of, std::string_view what);
  // Takes the bar away, so that a line can be printed.
  void clear();

 private:
  void draw(const std::string& line);

  bool on_, drawn_ = false;
  double duration_;
  int calls_per_look_, calls_ = 0;
  std::chrono::steady_clock::time_point next_;
};

// "[=====>    ]  50 %  15.0 of 30 s, 20 steps"
std::string progress_line(double time, double duration, std::size_t steps);

// "[=====>    ]  30 %  12 of 40 slopes"
std::string progress_line(std::size_t done, std::size_t of, std::string_view what);

}  // namespace stance
