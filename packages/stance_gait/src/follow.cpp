#include "stance_gait/follow.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "stance_gait/multipliers.hpp"

namespace stance {
namespace {

constexpr double kTurn = 0.94;       // cosine of the largest turn of the tangent in a step
constexpr double kCorrection = 0.3;  // part of a step that a correction may be
constexpr int kCorrections = 10;
constexpr double kParameterStep =
    1e-5;  // of differences along the parameter, in parts of the range
constexpr int kProbes = 60;
constexpr double kNewBranch =
    10;  // a new branch may go this much further along the parameter than across it

// A point of the curve with what is known of it.
struct Place {
  Eigen::VectorXd u;  // x, then p / scale
  Eigen::VectorXd tangent;
  FixedPoint gait;
  double fold = 0, doubling = 0, torus = 0;  // the three numbers
};

class Curve {
 public:
  Curve(const Family& family, const FollowSettings& settings, int steps, double scale)
      : family_(family), settings_(settings), steps_(steps), scale_(scale) {}

  double parameter(const Eigen::VectorXd& u) const { return u[u.size() - 1] * scale_; }

  Eigen::VectorXd join(const Eigen::VectorXd& x, double p) const {
    Eigen::VectorXd u(x.size() + 1);
    u << x, p / scale_;
    return u;
  }

  // The point of the curve on the plane through `predicted` across `tangent`. `along`: which way is on.
  Result<Place> correct(const Eigen::VectorXd& predicted, const Eigen::VectorXd& tangent,
                        const Eigen::VectorXd& along) const {
    const Eigen::Index n = predicted.size() - 1;
    Eigen::VectorXd u = predicted;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(kNeutralDirection);
    double last = 0;
    bool fresh = false;
    Place place;
    for (int k = 0;; ++k) {
      const Result<FamilyMember> member = family_(parameter(u));
      if (!member) return member.error();
      const Eigen::VectorXd x = u.head(n);
      const Result<GaitStep> step = member->map->walk(x, steps_);
      if (!step) return step.error();
      Eigen::VectorXd r(n + 1);
      r << step->x - x, tangent.dot(u - predicted);
      const double size = difference(step->x, x);
      if (size <= settings_.newton.tolerance && std::abs(r[n]) < 1e-12) {
        place.gait.x = x, place.gait.step = *step, place.gait.residual = size;
        place.gait.iterations = k;
        break;
      }
      if (k == kCorrections) {
        return Error{ErrorCode::kValue, "branch",
                     "a correction does not converge: " + std::to_string(size) + " is left"};
      }
      if (!fresh || size > 0.1 * last) {
        auto A = matrix(*member, u, tangent, true);
        if (!A) return A.error();
        solver.compute(*A);
        fresh = true;
      }
      last = size;
      u -= solver.solve(r);
    }
    place.u = u;
    const Result<FamilyMember> member = family_(parameter(u));
    if (!member) return member.error();
    if (auto error = judge(*member->map, steps_, place.gait)) return *std::move(error);
    const Result<int> least = least_period(*member->map, place.gait.x, steps_);
    if (!least) return least.error();
    if (*least != steps_) {
      return Error{ErrorCode::kValue, "branch",
                   "it has come to the gait of " + std::to_string(*least) + " steps"};
    }
    auto A = matrix(*member, u, along, false, &place.gait.jacobian);
    if (!A) return A.error();
    solver.compute(*A);
    Eigen::VectorXd e = Eigen::VectorXd::Zero(n + 1);
    e[n] = 1;
    place.tangent = solver.solve(e).normalized();
    measure(place);
    return place;
  }

 private:
  // (F' - 1, dF/dp scale; t)
  Result<Eigen::MatrixXd> matrix(const FamilyMember& member, const Eigen::VectorXd& u,
                                 const Eigen::VectorXd& last_row, bool quick,
                                 const Eigen::MatrixXd* jacobian = nullptr) const {
    const Eigen::Index n = u.size() - 1;
    const Eigen::VectorXd x = u.head(n);
    Eigen::MatrixXd A(n + 1, n + 1);
    if (jacobian != nullptr) {
      A.topLeftCorner(n, n) = *jacobian;
    } else {
      const auto J = step_jacobian(*member.map, x, steps_, kDifferenceStep, quick);
      if (!J) return J.error();
      A.topLeftCorner(n, n) = *J;
    }
    A.topLeftCorner(n, n) -= Eigen::MatrixXd::Identity(n, n);
    const double h = kParameterStep;
    Eigen::VectorXd ends[2];
    for (const int side : {0, 1}) {
      const auto other = family_((u[n] + (side == 0 ? -h : h)) * scale_);
      if (!other) return other.error();
      const auto step = other->map->walk(x, steps_);
      if (!step) return step.error();
      ends[side] = step->x;
    }
    A.topRightCorner(n, 1) = (ends[1] - ends[0]) / (2 * h);
    A.bottomRows(1) = last_row.transpose();
    return A;
  }

  static void measure(Place& place) {
    const Eigen::VectorXcd m = telling_multipliers(place.gait.multipliers, place.gait.neutral);
    place.fold = place.tangent[place.tangent.size() - 1];
    place.doubling = place.torus = 1;
    for (const std::complex<double>& a : m) {
      if (std::abs(a.imag()) < 1e-12) {
        place.doubling *= a.real() + 1;
      } else if (a.imag() > 0) {
        place.torus *= std::norm(a) - 1;
      }
    }
  }

  const Family& family_;
  const FollowSettings& settings_;
  int steps_;
  double scale_;
};

double number(const Place& place, BranchEvent event) {
  switch (event) {
    case BranchEvent::kFold: return place.fold;
    case BranchEvent::kDoubling: return place.doubling;
    default: return place.torus;
  }
}

int pairs(const Place& place) {
  int n = 0;
  for (const auto& m : telling_multipliers(place.gait.multipliers, place.gait.neutral))
    n += m.imag() > 1e-12 ? 1 : 0;
  return n;
}

// Did this number change sign between two places, by crossing zero? Where two real multipliers become a pair, or a pair
// real, products of some of them jump, and that is no event: of those that cross -1 an odd number remains.
bool changes(const Place& a, const Place& b, BranchEvent event) {
  if ((number(a, event) < 0) == (number(b, event) < 0)) return false;
  if (event != BranchEvent::kNeimarkSacker) return true;
  // a pair beyond the unit circle that falls apart takes its factor with it
  return pairs(a) == pairs(b);
}

class Follower {
 public:
  Follower(const Family& family, const FollowSettings& settings)
      : family_(family),
        settings_(settings),
        range_(std::abs(settings.to - settings.from)),
        low_(std::min(settings.from, settings.to)),
        high_(std::max(settings.from, settings.to)) {
    if (settings_.first_step <= 0) settings_.first_step = 1.0 / 100;
    if (settings_.largest_step <= 0) settings_.largest_step = 1.0 / 40;
  }

  double scale() const { return range_; }
  Curve curve(int steps) const { return {family_, settings_, steps, range_}; }

  // From a place on, along its tangent, into `branch`. Ends where the range does.
  void go(const Curve& curve, const Place& first, bool back, Branch& branch) {
    Place last = first;
    if (back) last.tangent = -last.tangent, last.fold = -last.fold;
    double h = settings_.first_step;
    double arc = 0;
    while (static_cast<int>(branch.points.size()) < settings_.max_points) {
      const Eigen::VectorXd predicted = last.u + h * last.tangent;
      Result<Place> next = curve.correct(predicted, last.tangent, last.tangent);
      const bool sound = next && next->tangent.dot(last.tangent) > kTurn &&
                         (next->u - predicted).norm() < kCorrection * h + 1e-9;
      if (!sound) {
        h /= 2;
        if (h < settings_.smallest_step) {
          branch.end = next ? "it turns too sharply to be followed" : next.error().text();
          return;
        }
        continue;
      }
      for (const BranchEvent event :
           {BranchEvent::kFold, BranchEvent::kDoubling, BranchEvent::kNeimarkSacker}) {
        if (!changes(last, *next, event)) continue;
        if (const auto at = locate(curve, last, h, event)) {
          const double p = curve.parameter(at->u);
          if (p >= low_ - 1e-12 * range_ && p <= high_ + 1e-12 * range_)
            branch.points.push_back({p, at->gait, event, arc + (at->u - last.u).norm()});
          events_.push_back({*at, static_cast<int>(branch.points.size()) - 1});
        }
      }
      const double p = curve.parameter(next->u);
      if (p < low_ || p > high_) {
        // the last point is where the range ends: along the line between the two
        if (const auto end = at_parameter(curve, last, p < low_ ? low_ : high_)) {
          branch.points.push_back({curve.parameter(end->u), end->gait, BranchEvent::kEnd,
                                   arc + (end->u - last.u).norm()});
        }
        branch.end = "it leaves the range";
        return;
      }
      arc += (next->u - last.u).norm();
      branch.points.push_back({p, next->gait, BranchEvent::kNone, arc});
      last = *next;
      if (last.gait.iterations <= 4) h = std::min(1.5 * h, settings_.largest_step);
      if (settings_.progress && !settings_.progress(branch)) {
        stopped_ = true;
        branch.end = "it was interrupted";
        return;
      }
    }
    branch.end = "it has as many points as were allowed";
  }

  // The place between `last` and h further at which the number is zero.
  std::optional<Place> locate(const Curve& curve, const Place& last, double h, BranchEvent event) {
    double a = 0, b = h, fa = number(last, event), fb = 0;
    Result<Place> at = curve.correct(last.u + h * last.tangent, last.tangent, last.tangent);
    if (!at) return {};
    fb = number(*at, event);
    Place best = *at;
    double before = curve.parameter(last.u);
    int side = 0;
    for (int k = 0; k < kProbes; ++k) {
      double s = (fa * b - fb * a) / (fa - fb);
      if (k % 4 == 3 || !(s > std::min(a, b) && s < std::max(a, b))) s = 0.5 * (a + b);
      at = curve.correct(last.u + s * last.tangent, last.tangent, last.tangent);
      if (!at) return best;
      best = *at;
      const double f = number(best, event), p = curve.parameter(best.u);
      if ((f < 0) == (fa < 0)) {
        a = s, fa = f;
        if (side == -1) fb *= 0.5;
        side = -1;
      } else {
        b = s, fb = f;
        if (side == 1) fa *= 0.5;
        side = 1;
      }
      if (f == 0 || std::abs(b - a) < 1e-12 ||
          (std::abs(p - before) < settings_.located * range_ && std::abs(f) < 1e-7))
        break;
      before = p;
    }
    return best;
  }

  // The place at which the parameter is p, near `last`: across p itself.
  std::optional<Place> at_parameter(const Curve& curve, const Place& last, double p) {
    const Eigen::Index n = last.u.size() - 1;
    if (std::abs(last.tangent[n]) < 1e-9) return {};
    Eigen::VectorXd across = Eigen::VectorXd::Zero(n + 1);
    across[n] = 1;
    Eigen::VectorXd predicted = last.u +
                                last.tangent * ((p / range_ - last.u[n]) / last.tangent[n]);
    predicted[n] = p / range_;
    const auto at = curve.correct(predicted, across, last.tangent);
    if (!at) return {};
    return *at;
  }

  struct Event {
    Place place;
    int point;  // of the branch
  };
  std::vector<Event> take_events() { return std::exchange(events_, {}); }
  bool stopped() const { return stopped_; }

 private:
  const Family& family_;
  FollowSettings settings_;
  double range_, low_, high_;
  std::vector<Event> events_;
  bool stopped_ = false;
};

// The doubled branch at a place with a multiplier of -1: off the branch along that eigenvector, across it.
std::optional<Place> doubled(const Curve& curve, const Place& at) {
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(at.gait.jacobian);
  Eigen::Index which = 0;
  for (Eigen::Index k = 1; k < at.gait.x.size(); ++k) {
    if (std::abs(eigen.eigenvalues()[k] + 1.0) < std::abs(eigen.eigenvalues()[which] + 1.0))
      which = k;
  }
  Eigen::VectorXd t = Eigen::VectorXd::Zero(at.u.size());
  t.head(at.gait.x.size()) = eigen.eigenvectors().col(which).real().normalized();
  // near where it was born, or it is another
  for (const double size : {1e-3, 3e-4, 3e-3, 1e-4}) {
    const auto place = curve.correct(at.u + size * t, t, t);
    if (place && (place->u - at.u).norm() < kNewBranch * size) return *place;
  }
  return {};
}

}  // namespace

const char* to_string(BranchEvent event) noexcept {
  constexpr const char* kNames[] = {"", "fold", "period_doubling", "neimark_sacker", "end"};
  return kNames[static_cast<int>(event)];
}

Result<std::vector<Branch>> follow(const Family& family, double start, const Eigen::VectorXd& guess,
                                   const FollowSettings& settings) {
  if (!(settings.from != settings.to))
    return Error{ErrorCode::kValue, "range", "is empty: its ends are the same"};
  Follower follower(family, settings);
  const int steps = settings.newton.steps;
  std::vector<Branch> branches(1);
  branches[0].steps = steps;
  const Curve curve = follower.curve(steps);
  Eigen::VectorXd along = Eigen::VectorXd::Zero(guess.size() + 1);
  along[guess.size()] = settings.to > settings.from ? 1 : -1;
  const auto first = curve.correct(curve.join(guess, start), along, along);
  if (!first) return first.error();

  // both ways, and joined: from `from` to `to`
  Branch back, on;
  back.steps = on.steps = steps;
  follower.go(curve, *first, true, back);
  const auto events_back = follower.take_events();
  if (!follower.stopped()) follower.go(curve, *first, false, on);
  const auto events_on = follower.take_events();
  Branch& whole = branches[0];
  for (auto p = back.points.rbegin(); p != back.points.rend(); ++p) {
    whole.points.push_back(*p);
    whole.points.back().arc = -p->arc;
  }
  const int middle = static_cast<int>(whole.points.size());
  whole.points.push_back({curve.parameter(first->u), first->gait, BranchEvent::kNone, 0});
  whole.points.insert(whole.points.end(), on.points.begin(), on.points.end());
  whole.end = "one way " + back.end + ", the other way " + (on.end.empty() ? "not gone" : on.end);

  struct Seed {
    Place place;
    int branch, point, depth;
  };
  std::vector<Seed> seeds;
  const auto collect = [&](const std::vector<Follower::Event>& events, const Branch& part,
                           int branch, int depth, auto&& index) {
    for (const auto& e : events) {
      if (e.point >= 0 && e.point < static_cast<int>(part.points.size()) &&
          part.points[static_cast<std::size_t>(e.point)].event == BranchEvent::kDoubling)
        seeds.push_back({e.place, branch, index(e.point), depth});
    }
  };
  collect(events_back, back, 0, 1, [&](int k) { return middle - 1 - k; });
  collect(events_on, on, 0, 1, [&](int k) { return middle + 1 + k; });
  for (std::size_t k = 0; k < seeds.size() && !follower.stopped(); ++k) {
    const Seed seed = seeds[k];
    if (seed.depth > settings.cascade) continue;
    Branch branch;
    branch.steps = 2 * branches[static_cast<std::size_t>(seed.branch)].steps;
    branch.parent = seed.branch, branch.parent_point = seed.point;
    const Curve twice = follower.curve(branch.steps);
    const auto off = doubled(twice, seed.place);
    if (!off) continue;
    // away from where it was born
    const bool against = off->tangent.dot(off->u - seed.place.u) < 0;
    branch.points.push_back({twice.parameter(off->u), off->gait, BranchEvent::kNone, 0});
    follower.go(twice, *off, against, branch);
    const auto events = follower.take_events();
    branches.push_back(branch);
    collect(events, branch, static_cast<int>(branches.size()) - 1, seed.depth + 1,
            [](int point) { return point; });
  }
  return branches;
}

}  // namespace stance
