#include "stance_gait/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "stance_gait/find_gait.hpp"

namespace stance {
namespace {

constexpr int kMaxHalvings = 6;
constexpr double kSmall = 1e-4;  // of the state: no other branch is as near

// The walker turned with the ground, so that its feet stay on it.
Walker on_slope(const Walker& walker, double from, double to) {
  Walker turned = walker;
  const Vec3<double> point = walker.settings.ground.point;
  turned.settings.ground = sloped_ground(to);
  turned.settings.ground.point = point;
  turned.start.q[0] += to - from;
  return turned;
}

struct Place {
  double slope;
  FixedPoint gait;
};

// The gait on the slope `to`, found from the two before it: x goes on in a straight line.
Result<FixedPoint> follow(const Walker& walker, double origin, const Place* before,
                          const Place& last, double to, const NewtonSettings& settings) {
  const auto map = StepMap::make(on_slope(walker, origin, to));
  if (!map) return map.error();
  Eigen::VectorXd guess = last.gait.x;
  if (before != nullptr) {
    guess += (last.gait.x - before->gait.x) * ((to - last.slope) / (last.slope - before->slope));
  } else {
    guess[0] += to - last.slope;
  }
  auto gait = find_fixed_point(*map, guess, settings);
  if (!gait) return gait;
  const auto least = least_period(*map, gait->x, settings.steps);
  if (!least) return least.error();
  if (*least != settings.steps) {
    return Error{ErrorCode::kValue, "fixed point",
                 "Newton's method leads to the gait of " + std::to_string(*least) + " step" +
                     (*least > 1 ? "s" : "") + ", which is another"};
  }
  // on the same branch it is nearer to where the last two point than to the last
  if (before != nullptr) {
    const double off = difference(gait->x, guess), way = difference(guess, last.gait.x);
    if (off > 0.5 * way + kSmall) {
      return Error{ErrorCode::kValue, "fixed point",
                   "what is found is not where the branch goes on"};
    }
  }
  return gait;
}

}  // namespace

Result<Sweep> sweep_slopes(const Walker& walker, double slope, std::vector<double> slopes,
                           const NewtonSettings& settings,
                           const std::function<bool(std::size_t count)>& done) {
  const auto map = StepMap::make(walker);
  if (!map) return map.error();
  GaitSearch search;
  search.newton = settings;
  const auto found = find_gait(*map, search);
  if (!found) return found.error();
  const FixedPoint& first = found->gait;

  std::sort(slopes.begin(), slopes.end());
  const auto middle = std::lower_bound(slopes.begin(), slopes.end(), slope);
  std::vector<double> down(slopes.begin(), middle), up(middle, slopes.end());
  std::reverse(down.begin(), down.end());
  const double spacing = slopes.size() < 2
                             ? 0.01
                             : std::max(1e-6, (slopes.back() - slopes.front()) /
                                                  static_cast<double>(slopes.size() - 1));
  Sweep sweep;
  bool wanted = true;
  for (const auto& targets : {down, up}) {
    std::vector<Place> places{{slope, first}};
    bool lost = false;
    for (std::size_t k = 0; k < targets.size() && wanted && !lost; ++k) {
      const double to = targets[k];
      double step = spacing;
      for (int halvings = 0; places.back().slope != to && !lost;) {
        const double way = to - places.back().slope;
        const double next = std::abs(way) <= step * 1.000001
                                ? to
                                : places.back().slope + std::copysign(step, way);
        const Place* before = places.size() > 1 ? &places[places.size() - 2] : nullptr;
        const auto gait = follow(walker, slope, before, places.back(), next, settings);
        if (gait) {
          places.push_back({next, *gait});
        } else if (++halvings > kMaxHalvings) {
          sweep.losses.push_back({gait.error().code, "slope " + std::to_string(next) + " rad",
                                  "the gait is lost on the way from " +
                                      std::to_string(places.back().slope) +
                                      " rad: " + gait.error().text()});
          lost = true;
        } else {
          step /= 2;
        }
      }
      if (!lost) {
        sweep.points.push_back({to, places.back().gait});
        wanted = done(sweep.points.size());
      }
    }
  }
  std::sort(sweep.points.begin(), sweep.points.end(),
            [](const SweepPoint& a, const SweepPoint& b) { return a.slope < b.slope; });
  return sweep;
}

}  // namespace stance
