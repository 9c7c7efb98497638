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

Doubts::Doubts(const Model& model, const SimulatorSettings& settings, std::vector<Wrench> pushes)
    : model_(model), settings_(settings), pushes_(std::move(pushes)) {}

bool Doubts::pushed(double from, double to) const {
  return std::any_of(pushes_.begin(), pushes_.end(), [&](const Wrench& push) {
    return push.start < to && push.start + push.duration > from;
  });
}

double Doubts::damping_power(const State& state) const {
  double power = 0;
  for (int k = 0; k < model_.dof_count; ++k) power += model_.damping[k] * state.v[k] * state.v[k];
  return power;
}

bool Doubts::has_stop(int joint, bool at_lower) const {
  return std::any_of(
      settings_.stops.begin(), settings_.stops.begin() + settings_.stop_count,
      [&](const Stop& stop) { return stop.joint == JointId(joint) && stop.at_lower == at_lower; });
}

void Doubts::watch_energy(const Simulator& simulator, const std::vector<ContactEvent>& events,
                          bool driven) {
  const State& state = simulator.state();
  kinematics(model_, simulator.tree(), state, *w_);
  const double kinetic = kinetic_energy(simulator.tree(), state, *w_),
               potential = potential_energy(model_, simulator.tree(), *w_);
  const double energy = kinetic + potential, power = damping_power(state);
  most_kinetic_ = std::max(most_kinetic_, kinetic);
  most_potential_ = std::max(most_potential_, std::abs(potential));
  double taken = 0;
  for (; events_seen_ < events.size(); ++events_seen_) taken += events[events_seen_].energy_lost;
  if (begun_ && state.time > time_ && !driven && !pushed(time_, state.time)) {
    taken += (state.time - time_) * (power_ + power) / 2;
    left_over_ += energy - energy_ + taken;
    if (std::abs(left_over_) > std::abs(most_left_over_)) most_left_over_ = left_over_;
  }
  begun_ = true;
  time_ = state.time, energy_ = energy, power_ = power;
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

void Doubts::observe(const Simulator& simulator, const std::vector<ContactEvent>& events,
                     bool driven) {
  watch_energy(simulator, events, driven);
  watch_limits(simulator.state());
}

std::vector<std::string> Doubts::sentences() const {
  std::vector<std::string> sentences;
  const double allowed = kEnergyPart * most_kinetic_ + kRounding * most_potential_;
  if (!(std::abs(most_left_over_) <= allowed)) {
    sentences.push_back(fmt::format(
        "up to {:.3g} J were {} that no event, push or damping explains, against {:.3g} J of "
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
