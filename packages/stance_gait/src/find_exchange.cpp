#include "stance_gait/find_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

namespace stance {
namespace {

BodyId body_of(const Model& model, const SimulatorSettings& settings, int foot) {
  return model.frames[settings.feet[static_cast<std::size_t>(foot)].frame].body;
}

struct Crossed {
  JointId joint;
  double sigma;
};

// The joints from body a to body b. Towards the file's root they are crossed backwards.
std::vector<Crossed> path(const Model& model, const Vec3<double>& lateral, BodyId a, BodyId b) {
  const auto side = [&](BodyId body) {
    return dot(lateral, model.bodies[body].R_bind.c) < 0 ? -1.0 : 1.0;
  };
  std::vector<Crossed> up, down;
  // bodies have larger numbers than their parents: the larger one goes up
  while (a != b) {
    if (a > b) {
      up.push_back({JointId(a), -side(a)});
      a = model.bodies[a].parent;
    } else {
      down.push_back({JointId(b), side(b)});
      b = model.bodies[b].parent;
    }
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

Exchange swap_legs(const Model& model, const SimulatorSettings& settings) {
  Exchange exchange;
  exchange.feet = {1, 0};
  const std::vector<Crossed> joints = path(
      model, settings.ground.lateral, body_of(model, settings, 0), body_of(model, settings, 1));
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Crossed &to = joints[k], &from = joints[joints.size() - 1 - k];
    exchange.joints.push_back({to.joint, from.joint, -to.sigma * from.sigma});  // (1)
  }
  return exchange;
}

// The angle of a foot about the centre of its body and the lateral axis, in the bind pose.
double spoke_angle(const Model& model, const SimulatorSettings& settings, int foot) {
  const Frame& frame = model.frames[settings.feet[static_cast<std::size_t>(foot)].frame];
  const Body& body = model.bodies[frame.body];
  const Vec3<double> arm = body.R_bind * (frame.X_HF.p - body.I.h * (1 / body.I.m));
  const Vec3<double>& y = settings.ground.lateral;
  const Vec3<double> z = settings.ground.normal, x = cross(y, z);
  return std::atan2(dot(arm, x), dot(arm, z));
}

Exchange turn_wheel(const Model& model, const SimulatorSettings& settings, int foot, int next) {
  Exchange exchange;
  const int n = settings.foot_count;
  for (int i = 0; i < n; ++i) exchange.feet.push_back((i + next - foot + n) % n);
  exchange.support_offset = std::remainder(
      spoke_angle(model, settings, next) - spoke_angle(model, settings, foot), 2 * M_PI);
  return exchange;
}

struct Look {
  double kinetic, potential;
  std::vector<double>
      heights;  // of the feet, from the one that stands, in the order of the exchange
};

Look look(const Model& model, const SimulatorSettings& settings, const Exchange& exchange, int foot,
          const State& state) {
  const auto simulator = std::make_unique<Simulator>(model, settings);
  const auto w = std::make_unique<Workspace>();
  simulator->start_on_foot(foot, {}, state, state.q.data(), state.v.data());
  const Tree& tree = simulator->tree();
  kinematics(model, tree, simulator->state(), *w);
  Look seen{kinetic_energy(tree, simulator->state(), *w), potential_energy(model, tree, *w), {}};
  int f = foot;
  for (int k = 0; k < settings.foot_count; ++k) {
    const FrameId frame = settings.feet[static_cast<std::size_t>(f)].frame;
    seen.heights.push_back(settings.ground.height(frame_pose(model, tree, *w, frame).p));
    f = exchange.feet[static_cast<std::size_t>(f)];
  }
  return seen;
}

bool alike(const Look& a, const Look& b) {
  // URDF files carry some ten digits; a leg that differs by more than 1e-6 is another leg
  const auto near = [](double x, double y, double size) {
    return std::abs(x - y) <= 1e-6 * (1e-9 + std::abs(size));
  };
  bool all = near(a.kinetic, b.kinetic, a.kinetic) && near(a.potential, b.potential, a.potential);
  for (std::size_t i = 0; i < a.heights.size(); ++i)
    all = all && near(a.heights[i], b.heights[i], 1);
  return all;
}

}  // namespace

Result<Exchange> find_exchange(const Model& model, const SimulatorSettings& settings, int foot,
                               int next) {
  const BodyId first = body_of(model, settings, 0);
  bool one_body = settings.foot_count > 1;
  for (int i = 0; i < settings.foot_count; ++i)
    one_body = one_body && body_of(model, settings, i) == first;
  if (!one_body && settings.foot_count != 2) {
    return Error{ErrorCode::kUnsupported, "feet",
                 "gaits are found for two feet, or for the spokes of one body; this robot has " +
                     std::to_string(settings.foot_count) + " feet on several bodies"};
  }
  const Exchange exchange = one_body ? turn_wheel(model, settings, foot, next)
                                     : swap_legs(model, settings);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 3; ++trial) {
    State state = neutral_state(model, make_tree(model));
    for (int i = 0; i < kSupportCoordinates; ++i) state.q[static_cast<std::size_t>(i)] = 0;
    state.q[0] = uniform(random), state.v[0] = uniform(random);
    for (int i = 1; i < model.body_count; ++i) {
      state.q[static_cast<std::size_t>(model.joints[i].q_index)] = uniform(random);
      state.v[static_cast<std::size_t>(model.joints[i].v_index)] = uniform(random);
    }
    apply_mimic(model, state);
    const Look landed = look(model, settings, exchange,
                             exchange.feet[static_cast<std::size_t>(foot)], state);
    const Look renamed = look(model, settings, exchange, foot, exchanged(model, exchange, state));
    if (!alike(landed, renamed)) {
      return Error{ErrorCode::kUnsupported, "robot '" + std::string(model.name.view()) + "'",
                   "its legs are not alike, so that one step cannot be compared with the next: "
                   "exchanged, they have other energies or feet in other places"};
    }
  }
  return exchange;
}

}  // namespace stance
