// Bodies on the ground, and what must hold at each of their steps whatever they do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "support/small_robots.hpp"

namespace stance::test {

inline constexpr double kGravity = 9.81;

// One rigid body with massless links "foot0", "foot1", … at `feet`.
inline std::unique_ptr<Model> solid(double mass, const Eigen::Vector3d& center,
                                    const Eigen::Vector3d& inertia,
                                    const std::vector<Eigen::Vector3d>& feet,
                                    const Vec3<double>& gravity = {0, 0, -kGravity}) {
  Description robot;
  robot.name = "solid";
  robot.links = {link("body", mass, center, inertia)};
  for (std::size_t k = 0; k < feet.size(); ++k) {
    const std::string name = "foot" + std::to_string(k);
    robot.links.push_back({name, std::nullopt});
    robot.joints.push_back(joint("to_" + name, JointType::kFixed, "body", name, feet[k]));
  }
  return std::make_unique<Model>(*build_model(robot, {.gravity = gravity}));
}

inline std::unique_ptr<Model> ball(double mass, double radius) {
  const double I = 0.4 * mass * radius * radius;
  return solid(mass, {0, 0, 0}, {I, I, I}, {{0, 0, 0}});
}

// A uniform box of half lengths h.
inline std::unique_ptr<Model> box(double mass, const Eigen::Vector3d& h) {
  const Eigen::Vector3d s = h.cwiseProduct(h);
  const Eigen::Vector3d I = mass / 3 * Eigen::Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return solid(mass, {0, 0, 0}, I, {{0, 0, 0}});
}

// The corners of its lower side in the order (+,+), (+,-), (-,+), (-,-), and those of the upper side.
inline Foot box_foot(const Model& model, const Eigen::Vector3d& h, const Material& material,
                     int corners) {
  Foot foot{find_frame(model, "foot0"), JointKind::kFixed, 0, false, material};
  foot.corner_count = corners;
  for (int k = 0; k < corners; ++k)
    foot.corners[static_cast<std::size_t>(k)] = {(k & 2) != 0 ? -h.x() : h.x(),
                                                 (k & 1) != 0 ? -h.y() : h.y(),
                                                 (k & 4) != 0 ? h.z() : -h.z()};
  return foot;
}

// Foot k is the frame "foot<k>".
inline SimulatorSettings feet_of(const Model& model, int count, JointKind support,
                                 const Material& material, double radius = 0) {
  SimulatorSettings settings;
  settings.foot_count = count;
  for (int k = 0; k < count; ++k)
    settings.feet[static_cast<std::size_t>(k)] = {find_frame(model, "foot" + std::to_string(k)),
                                                  support, radius, false, material};
  return settings;
}

// A state in the air: the first link's frame at X_WL, with its velocity and that of its origin.
inline State in_the_air(const Model& model, const Ground& ground, JointKind kind,
                        const Transform<double>& X_WL, const Vec3<double>& w_W = {},
                        const Vec3<double>& v_W = {}) {
  Support support;
  support.kind = kind;
  if (kind == JointKind::kPlanar) support.X_WA.R = support.X_HC.R = ground.support_axes();
  const Tree tree = make_tree(model, BodyId(0), support);
  State state = neutral_state(model, tree);
  const Transform<double> X_LH = inverse(model.frames[FrameId(0)].X_HF);
  const Motion<double> V_L{transpose_times(X_WL.R, w_W), transpose_times(X_WL.R, v_W)};
  set_root_motion(tree, X_WL * X_LH, to_child(X_LH, V_L), state);
  return state;
}

// Turned by the rotation vector r, at p.
inline Transform<double> placed(const Vec3<double>& r, const Vec3<double>& p) {
  const double angle = norm(r);
  if (angle == 0) return {Mat3<double>::identity(), p};
  const Vec3<double> u = r * (1 / angle);
  return {Mat3<double>(Eigen::AngleAxisd(angle, Eigen::Vector3d(u.x, u.y, u.z)).toRotationMatrix()),
          p};
}

inline std::vector<ContactEvent> read_events(Simulator& simulator) {
  std::vector<ContactEvent> events;
  ContactEvent event;
  while (simulator.events().pop(event)) events.push_back(event);
  return events;
}

inline int count(const std::vector<ContactEvent>& events, EventKind kind) {
  return static_cast<int>(std::count_if(events.begin(), events.end(),
                                        [&](const ContactEvent& e) { return e.kind == kind; }));
}

// The first link's pose and velocity, in world axes.
struct BodyMotion {
  Transform<double> X_WL;
  Vec3<double> w_W, v_W;  // v of the link's origin
};
inline BodyMotion motion_of_body(const Simulator& simulator) {
  const PoseTwist m = body_motion(simulator.model(), simulator.tree(), simulator.state(),
                                  BodyId(0));
  const Transform<double> X_HL = simulator.model().frames[FrameId(0)].X_HF;
  const Motion<double> V_L = to_child(X_HL, m.V_H);
  const Transform<double> X_WL = m.X_WH * X_HL;
  return {X_WL, X_WL.R * V_L.w, X_WL.R * V_L.v};
}

inline double mechanical_energy(Simulator& simulator) {
  kinematics(simulator.model(), simulator.tree(), simulator.state(), simulator.workspace());
  return kinetic_energy(simulator.tree(), simulator.state(), simulator.workspace()) +
         potential_energy(simulator.model(), simulator.tree(), simulator.workspace());
}

inline Force<double> momentum_now(Simulator& simulator) {
  kinematics(simulator.model(), simulator.tree(), simulator.state(), simulator.workspace());
  return momentum(simulator.tree(), simulator.workspace());
}

// What the laws of motion and of contact leave over, step by step:
//   energy     |E - E0 - what the account says came in|, over the largest energy that was moved
//   momentum   |change - impulses of the ground and of gravity|, over momentum and that of gravity in a step, beyond the
//              1e-7 m/s that a body may have and count as at rest (kStill)
//   below      depth of the lowest site under the ground
class Watched {
 public:
  explicit Watched(Simulator& simulator) : simulator_(simulator) {
    energy_ = mechanical_energy(simulator);
    momentum_ = momentum_now(simulator).f;
  }

  // One step without forces on bodies. Fails the test where the step fails.
  bool step(const DofVector& tau = {}) {
    const double before = simulator_.state().time;
    const Status status = simulator_.step(tau);
    EXPECT_EQ(status, Status::kOk) << to_string(status) << " at " << before;
    if (status != Status::kOk) return false;
    look(simulator_.state().time - before);
    return true;
  }

  // After a step of h.
  void look(double h) {
    const double now = mechanical_energy(simulator_);
    const EnergyAccount& account = simulator_.energy();
    const double came_in = account.efforts + account.pushes - account.damping - account.friction -
                           account.impacts + account.holding;
    moved_ = std::max({moved_, std::abs(energy_), std::abs(now), std::abs(account.efforts),
                       std::abs(account.friction), std::abs(account.impacts)});
    energy = std::max(energy, std::abs(now - energy_ - came_in) / moved_);
    const double m = total_mass(simulator_.model());
    Vec3<double> change = simulator_.model().gravity * (m * h);
    for (int i = 0; i < simulator_.site_count(); ++i)
      change += simulator_.impulses()[static_cast<std::size_t>(i)];
    const Vec3<double> p = momentum_now(simulator_).f;
    const double size = norm(p) + norm(momentum_) + m * norm(simulator_.model().gravity) * h;
    momentum = std::max(momentum, (norm(p - momentum_ - change) - 1e-7 * m) / size);
    momentum_ = p;
    for (int i = 0; i < simulator_.site_count(); ++i)
      below = std::max(below, -simulator_.settings().ground.height(simulator_.site_point(i)));
  }

  double energy = 0, momentum = 0, below = 0;  // the largest so far
  // By the integrator of order 4 at 1 ms, impacts and all.
  void expect_laws(double tolerance = 1e-8) const {
    EXPECT_LE(energy, tolerance);
    EXPECT_LE(momentum, tolerance);
    EXPECT_LE(below, 1e-7);
    const LawResidual& r = simulator_.residual();
    EXPECT_LE(std::max({r.signorini, r.cone, r.dissipation}), 1e-8);
  }

 private:
  Simulator& simulator_;
  double energy_ = 0, moved_ = 1e-300;
  Vec3<double> momentum_;
};

}  // namespace stance::test
