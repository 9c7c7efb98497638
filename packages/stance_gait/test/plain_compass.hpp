// The compass walker a second time, sharing nothing with the core: two scalar equations of motion by Lagrange, impact by
// two angular momenta, and an extrapolation method of order twelve. What the step map is compared with.
//
// theta_1 of the stance leg and theta_2 of the swing leg from the vertical, positive when the upper end is forward.
// Stance foot at the origin; hip at l (sin theta_1, cos theta_1); masses m at d below the hip on each leg.
//   M11 = m b² + (mh + m) l²,  b = l - d,   M12 = -m l d cos(theta_1 - theta_2),   M22 = m d²
//   M11 a1 + M12 a2 = m l d sin(theta_1 - theta_2) w2² + (m b + (mh + m) l) g sin theta_1
//   M12 a1 + M22 a2 = -m l d sin(theta_1 - theta_2) w1² - m d g sin theta_2
// The swing foot is on the slope when theta_1 + theta_2 = 2 gamma.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <stdexcept>

namespace stance::test {

struct PlainCompass {
  using State = Eigen::Vector4d;  // theta_1, theta_2, w1, w2

  double mh = 2, m = 1, l = 1, d = 0.5, g = 9.81, slope = 0.0524;

  State derivative(const State& y) const {
    const double b = l - d, s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]);
    const double M11 = m * b * b + (mh + m) * l * l, M12 = -m * l * d * c, M22 = m * d * d;
    const double r1 = m * l * d * s * y[3] * y[3] + (m * b + (mh + m) * l) * g * std::sin(y[0]);
    const double r2 = -m * l * d * s * y[2] * y[2] - m * d * g * std::sin(y[1]);
    const double det = M11 * M22 - M12 * M12;
    return {y[2], y[3], (M22 * r1 - M12 * r2) / det, (M11 * r2 - M12 * r1) / det};
  }

  // Gragg's modified midpoint rule with 2, 4, … 12 sub-steps, extrapolated to zero in h² (Hairer, Norsett, Wanner,
  // II.9): order twelve. At 10 ms its error is rounding.
  State flow(const State& y, double h) const {
    constexpr int kRows = 6;
    State T[kRows][kRows];
    for (int j = 0; j < kRows; ++j) {
      const int n = 2 * (j + 1);
      const double s = h / n;
      State before = y, now = y + s * derivative(y);
      for (int k = 1; k < n; ++k) {
        const State next = before + 2 * s * derivative(now);
        before = now, now = next;
      }
      T[j][0] = 0.5 * (before + now + s * derivative(now));
      for (int k = 1; k <= j; ++k) {
        const double ratio = std::pow((j + 1.0) / (j + 1 - k), 2);
        T[j][k] = T[j][k - 1] + (T[j][k - 1] - T[j - 1][k - 1]) / (ratio - 1);
      }
    }
    return T[kRows - 1][kRows - 1];
  }

  // Angular momentum about (px, pz), positive forward.
  static double about(double px, double pz, double mass, double x, double z, double vx, double vz) {
    return mass * ((z - pz) * vx - (x - px) * vz);
  }

  // Rates of the new stance and swing leg; the new stance leg is the old swing leg.
  State impact(const State& y) const {
    const double b = l - d, s1 = std::sin(y[0]), c1 = std::cos(y[0]), s2 = std::sin(y[1]),
                 c2 = std::cos(y[1]);
    const double hx = l * s1, hz = l * c1, fx = hx - l * s2, fz = hz - l * c2;
    const double kx = hx - d * s2, kz = hz - d * c2;  // mass of the leg that lands
    // total about the new contact, and the leg that lifts about the hip, for velocities of hip and masses
    const auto momenta = [&](double hvx, double hvz, double svx, double svz, double kvx,
                             double kvz) -> Eigen::Vector2d {
      return {about(fx, fz, mh, hx, hz, hvx, hvz) + about(fx, fz, m, b * s1, b * c1, svx, svz) +
                  about(fx, fz, m, kx, kz, kvx, kvz),
              about(hx, hz, m, b * s1, b * c1, svx, svz)};
    };
    const double hvx = l * c1 * y[2], hvz = -l * s1 * y[2];
    const Eigen::Vector2d L = momenta(hvx, hvz, b * c1 * y[2], -b * s1 * y[2], hvx - d * c2 * y[3],
                                      hvz + d * s2 * y[3]);
    const auto after = [&](double W1, double W2) {
      const double gx = l * c2 * W1, gz = -l * s2 * W1;
      return momenta(gx, gz, gx - d * c1 * W2, gz + d * s1 * W2, b * c2 * W1, -b * s2 * W1);
    };
    Eigen::Matrix2d H;
    H << after(1, 0), after(0, 1);
    const Eigen::Vector2d W = H.inverse() * L;
    return {y[1], y[0], W[0], W[1]};
  }

  double kinetic(const State& y) const {
    const double b = l - d;
    return 0.5 * ((m * b * b + (mh + m) * l * l) * y[2] * y[2] + m * d * d * y[3] * y[3]) -
           m * l * d * std::cos(y[0] - y[1]) * y[2] * y[3];
  }

  struct Result {
    State y;  // just after touchdown
    double period, length, energy_lost;
  };

  // From just after a touchdown to just after the next.
  Result step(State y) const {
    double t = 0;
    constexpr double kStep = 0.01;
    const auto guard = [&](const State& s) { return s[0] + s[1] - 2 * slope; };
    for (bool armed = false; t < 5; t += kStep) {
      const State next = flow(y, kStep);
      // the foot is ahead when theta_1 > theta_2; above the slope then means theta_1 + theta_2 < 2 gamma
      const bool ahead = y[0] > y[1];
      if (ahead && guard(y) < 0) armed = true;
      if (armed && guard(next) >= 0) {
        double h = kStep * guard(y) / (guard(y) - guard(next));
        State end = flow(y, h);
        for (int k = 0; k < 8; ++k) {
          h -= guard(end) / (end[2] + end[3]);
          end = flow(y, h);
        }
        const State after = impact(end);
        // both describe the same positions: energies of the two differ in kinetic energy alone
        return {after, t + h, 2 * l * std::sin((end[0] - end[1]) / 2),
                kinetic(end) - kinetic(after)};
      }
      y = next;
    }
    throw std::runtime_error("the plain compass does not touch down");
  }

  // Section of dimension three: half the angle between the legs and both rates.
  State spread(const Eigen::Vector3d& x) const { return {slope - x[0], slope + x[0], x[1], x[2]}; }
  Eigen::Vector3d map(const Eigen::Vector3d& x) const {
    const State y = step(spread(x)).y;
    return {0.5 * (y[1] - y[0]), y[2], y[3]};
  }
  // Differences of sixth order.
  Eigen::Matrix3d jacobian(const Eigen::Vector3d& x) const {
    Eigen::Matrix3d J;
    const double h = 5e-4;
    for (int i = 0; i < 3; ++i) {
      const auto f = [&](int k) {
        Eigen::Vector3d moved = x;
        moved[i] += k * h;
        return map(moved);
      };
      J.col(i) = (45 * (f(1) - f(-1)) - 9 * (f(2) - f(-2)) + (f(3) - f(-3))) / (60 * h);
    }
    return J;
  }
  Eigen::Vector3d fixed_point(Eigen::Vector3d x) const {
    for (int k = 0; k < 12; ++k)
      x += (Eigen::Matrix3d::Identity() - jacobian(x)).partialPivLu().solve(map(x) - x);
    return x;
  }
};

}  // namespace stance::test
