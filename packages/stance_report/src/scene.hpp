// What a picture is made from, and what all pictures share: page, title, colours, the last two steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axes.hpp"
#include "history.hpp"
#include "stance_report/recorder.hpp"

namespace stance::report {

struct Scene {
  const Model& model;
  const SimulatorSettings& settings;
  const RunInfo& info;
  const Skeleton& skeleton;
  const std::deque<Sample>& samples;
  const std::deque<Contact>& contacts;
  const std::vector<ContactEvent>& events;  // of the whole run
  const std::vector<Step>& steps;           // of the whole run
};

inline constexpr double kPageWidth = 900;
inline constexpr double kLeft = 86, kRight = kPageWidth - 30;  // of the axes
inline constexpr std::string_view kGrey = "#777777", kDark = "#333333";

// Foot 0 is blue and the next one orange; of many feet all but the first are orange. -1 is grey.
std::string_view foot_color(const Scene& scene, int foot);
// The k-th of several lines that are not feet's.
std::string_view line_color(int k);

std::string foot_name(const Scene& scene, int foot);

// Title, and below it a line of small print that begins with the run's title; at its right, if no foot touched down in
// the run, a note that says so. Returns the y below all.
double draw_title(Svg& svg, const Scene& scene, const std::string& what, const std::string& small);

// "compass on a slope of 3.00°"
std::string robot_and_ground(const Scene& scene);
// rad, between the ground's normal and the vertical
double slope(const Scene& scene);
// Unit vector against gravity; the ground's normal where there is no gravity.
Vec3<double> up(const Scene& scene);

// How many steps the phase portrait shows: enough for the first foot to come round.
int cycle_steps(const SimulatorSettings& settings);

// Samples [first, last] of one step: from the state after a touchdown to the one before the next.
struct Stride {
  std::size_t first = 0, last = 0;
  const ContactEvent* begin =
      nullptr;  // the touchdowns; none where the samples begin or end without one
  const ContactEvent* end = nullptr;
};
// The last whole steps there are, `count` at most, oldest first. Without any: all samples as one stride.
std::vector<Stride> last_strides(const Scene& scene, int count);

}  // namespace stance::report
