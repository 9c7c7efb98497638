#include "stance_report/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

namespace stance {
namespace {

constexpr double kLimitSlack = 1e-6;  // rad or m: where a stop holds a joint, and rounding
// Of the potential energy: what rounding leaves where hardly anything moves.
constexpr double kRounding = 1e-9;

}  // namespace

Doubts::Doubts(const Model& model, const SimulatorSettings& settings)
    : model_(model), settings_(settings) {}

bool Doubts::has_stop(int joint, bool at_lower) const {
  return std::any_of(
      settings_.stops.begin(), settings_.stops.begin() + settings_.stop_count,
      [&](const Stop& stop) { return stop.joint == JointId(joint) && stop.at_lower == at_lower; });
}

void Doubts::watch_energy(const Simulator& simulator) {
  const State& state = simulator.state();
  kinematics(model_, simulator.tree(), state, *w_);
  const double kinetic = kinetic_energy(simulator.tree(), state, *w_),
               potential = potential_energy(model_, simulator.tree(), *w_);
  const EnergyAccount& account = simulator.energy();
  const double explained = account.efforts + account.pushes + account.holding - account.damping -
                           account.friction - account.impacts;
  most_kinetic_ = std::max(most_kinetic_, kinetic);
  most_potential_ = std::max(most_potential_, std::abs(potential));
  const double rest = kinetic + potential - explained;
  if (!begun_) start_ = rest;
  begun_ = true;
  const double left_over = rest - start_;
  if (std::abs(left_over) > std::abs(most_left_over_)) most_left_over_ = left_over;
}

void Doubts::watch_limits(const State& state) {
  for (int i = 1; i < model_.body_count; ++i) {
    const Joint& joint = model_.joints[i];
    if (dof_count(joint.kind) != 1) continue;
    const double q = state.q[joint.q_index];
    const bool at_lower = q < joint.limits.lower;
    const double limit = at_lower ? joint.limits.lower : joint.limits.upper;
    const double beyond = at_lower ? limit - q : q - limit;
    if (!(beyond > kLimitSlack) || has_stop(i, at_lower)) continue;
    const auto known = std::find_if(excesses_.begin(), excesses_.end(), [&](const Excess& e) {
      return e.joint == i && e.limit == limit;
    });
    if (known == excesses_.end()) {
      excesses_.push_back({i, limit, state.time, beyond});
    } else {
      known->most = std::max(known->most, beyond);
    }
  }
}

void Doubts::observe(const Simulator& simulator) {
  watch_energy(simulator);
  watch_limits(simulator.state());
}

std::vector<std::string> Doubts::sentences() const {
  std::vector<std::string> sentences;
  const double allowed = kEnergyPart * most_kinetic_ + kRounding * most_potential_;
  if (!(std::abs(most_left_over_) <= allowed)) {
    sentences.push_back(fmt::format(
        "up to {:.3g} J were {} that no effort, push, friction, damping or impact explains, "
        "against {:.3g} J of "
        "kinetic energy at most: the step of {:g} s is too long for this robot, shorten "
        "integrator.step",
        std::abs(most_left_over_), most_left_over_ > 0 ? "gained" : "lost", most_kinetic_,
        settings_.step));
  }
  constexpr std::size_t kShown = 4;
  for (std::size_t k = 0; k < std::min(kShown, excesses_.size()); ++k) {
    const Excess& e = excesses_[k];
    const Joint& joint = model_.joints[e.joint];
    const char* unit = joint.kind == JointKind::kPrismatic ? "m" : "rad";
    sentences.push_back(fmt::format(
        "joint '{}' passed its limit of {:g} {} at {:.4g} s, by up to {:.3g} {}: limits hold only "
        "where the scenario has stops",
        joint.name.view(), e.limit, unit, e.first_time, e.most, unit));
  }
  if (excesses_.size() > kShown)
    sentences.push_back(
        fmt::format("{} more joints passed their limits", excesses_.size() - kShown));
  return sentences;
}

}  // namespace stance
