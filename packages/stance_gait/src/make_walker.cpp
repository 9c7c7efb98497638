#include "stance_gait/make_walker.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "stance_gait/compass_step_law.hpp"
#include "stance_gait/find_exchange.hpp"
#include "stance_gait/make_law.hpp"

namespace stance {
namespace {

constexpr double kPatience = 60;    // s, for one touchdown
constexpr int kLongestStride = 32;  // touchdowns

void sharpen_for(const Scenario& scenario, SimulatorSettings& settings) {
  sharpen(settings);
  if (!scenario.law.name.empty())
    settings.step = scenario.law.period;  // a law acts at its own rate
}

// A robot on its way, with the law that drives it.
class Way {
 public:
  Way(const Scenario& scenario, const SimulatorSettings& settings, std::unique_ptr<StepLaw> law)
      : simulator_(std::make_unique<Simulator>(scenario.robot->model, settings)),
        law_(std::move(law)) {}

  std::optional<Error> start(const Scenario& scenario) {
    const Status status = ::stance::start(scenario, *simulator_);
    if (status != Status::kOk) return Error{ErrorCode::kValue, "initial", to_string(status)};
    if (law_ && simulator_->support_foot() >= 0) law_->touch_down(simulator_->support_foot());
    return {};
  }

  // To the next instant at which a foot comes down; the one that struck at the start counts.
  std::optional<Error> to_touchdown() {
    const double began = simulator_->state().time;
    DofVector tau{};
    for (;;) {
      bool touched = false;
      ContactEvent event;
      while (simulator_->events().pop(event)) touched |= event.kind == EventKind::kTouchdown;
      if (touched) {
        ++touchdowns_;
        if (law_) law_->touch_down(simulator_->support_foot());
        return {};
      }
      const double time = simulator_->state().time;
      if (simulator_->fallen() || time - began > kPatience) {
        const std::string when = std::to_string(time);
        return Error{
            ErrorCode::kValue, "initial",
            simulator_->fallen()
                ? "the robot falls at " + when + " s, after " + std::to_string(touchdowns_) +
                      " touchdown" + (touchdowns_ == 1 ? "" : "s")
                : "no touchdown within " + std::to_string(kPatience) + " s before " + when + " s"};
      }
      if (law_) {
        if (const Status status = law_->drive(*simulator_, tau); status != Status::kOk)
          return Error{ErrorCode::kValue, "law", to_string(status)};
      }
      if (const Status status = simulator_->step_to_event(tau); status != Status::kOk)
        return Error{ErrorCode::kValue, "initial", to_string(status)};
    }
  }

  const Simulator& simulator() const { return *simulator_; }

 private:
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<StepLaw> law_;
  int touchdowns_ = 0;
};

std::vector<int> others_standing(const Simulator& simulator) {
  std::vector<int> feet;
  for (int f = 0; f < simulator.settings().foot_count; ++f) {
    if (f != simulator.support_foot() && simulator.foot_mode(f) != ContactMode::kOpen)
      feet.push_back(f);
  }
  return feet;
}

// What makes two sections the same: who stands, and what is held.
std::vector<int> pattern(const Simulator& simulator) {
  std::vector<int> out{simulator.support_foot()};
  for (const int f : others_standing(simulator)) out.push_back(f);
  for (int i = 1; i < simulator.model().body_count; ++i)
    out.push_back(simulator.mode().locked[static_cast<std::size_t>(i)] ? 1 : 0);
  return out;
}

}  // namespace

double slope_of(const SimulatorSettings& settings) {
  return std::atan2(-settings.ground.forward().z, settings.ground.normal.z);
}

Result<std::unique_ptr<StepLaw>> make_step_law(const Scenario& scenario) {
  if (scenario.law.name.empty()) return std::unique_ptr<StepLaw>();
  if (scenario.law.name != "compass") {
    return Error{ErrorCode::kUnsupported, "law '" + scenario.law.name + "'",
                 "runs on a clock of its own, and no gait of it can be found: the only law whose "
                 "steps are a map is 'compass'"};
  }
  const auto gait = compass_gait(scenario.law);
  if (!gait) return gait.error();
  return make_compass_step_law(scenario.robot->model, scenario.settings, *gait);
}

Result<Walker> make_walker(const Scenario& scenario, int settle) {
  const Model& model = scenario.robot->model;
  Walker walker;
  walker.model = &model;
  walker.settings = scenario.settings;
  sharpen_for(scenario, walker.settings);
  auto law = make_step_law(scenario);
  if (!law) return law.error();
  if (*law) walker.law = (*law)->clone();
  Way way(scenario, walker.settings, *std::move(law));
  if (auto error = way.start(scenario)) return *std::move(error);
  for (int k = 0; k <= settle; ++k) {
    if (auto error = way.to_touchdown()) return *std::move(error);
  }
  const Simulator& simulator = way.simulator();
  walker.foot = simulator.support_foot();
  if (walker.foot < 0) {
    return Error{ErrorCode::kUnsupported, "initial",
                 "no foot stands after a touchdown; gaits are found for robots that come to stand "
                 "on a pin, a roll, a ball or a weld"};
  }
  walker.other_feet = others_standing(simulator);
  walker.start = simulator.state();
  walker.start.time = 0;
  for (int i = 1; i < model.body_count; ++i) {
    if (simulator.mode().locked[static_cast<std::size_t>(i)]) walker.locked.emplace_back(i);
  }
  const std::vector<int> first = pattern(simulator);
  // a walker that falls from here may have a gait elsewhere: of two feet the next is the other
  int next = 1 - walker.foot;
  if (auto error = way.to_touchdown()) {
    if (walker.settings.foot_count != 2) return *std::move(error);
  } else {
    next = simulator.support_foot();
  }
  auto exchange = find_exchange(model, walker.settings, walker.foot, next);
  if (exchange) {
    walker.exchange = *exchange;
    return walker;
  }
  // legs that cannot be exchanged: a step is a whole stride, from a touchdown to the next like it
  for (int i = 0; i < walker.settings.foot_count; ++i) walker.exchange.feet.push_back(i);
  for (walker.touchdowns = 1; pattern(simulator) != first; ++walker.touchdowns) {
    if (walker.touchdowns == kLongestStride) return exchange.error();
    if (way.to_touchdown()) return exchange.error();
  }
  return walker;
}

Result<Walker> with_numbers_of(const Walker& walker, const Scenario& scenario) {
  Walker other = walker;
  other.model = &scenario.robot->model;
  other.settings = scenario.settings;
  sharpen_for(scenario, other.settings);
  auto law = make_step_law(scenario);
  if (!law) return law.error();
  other.law = *std::move(law);
  // joints at a stop stay at it where the stop is another
  for (int k = 0; k < other.settings.stop_count; ++k) {
    const Stop& stop = other.settings.stops[static_cast<std::size_t>(k)];
    const auto limit = [&](const Model& model) {
      const Limits& l = model.joints[stop.joint].limits;
      return stop.at_lower ? l.lower : l.upper;
    };
    double& q = other.start.q[static_cast<std::size_t>(other.model->joints[stop.joint].q_index)];
    if (q == limit(*walker.model)) q = limit(*other.model);
  }
  return other;
}

InitialState initial_state(const Walker& walker, const State& state) {
  const Model& model = *walker.model;
  InitialState initial;
  initial.foot = walker.foot;
  const Foot& foot = walker.settings.feet[static_cast<std::size_t>(walker.foot)];
  initial.angle = state.q[0], initial.rate = state.v[0];
  if (foot.support == JointKind::kBall) {
    const auto simulator = std::make_unique<Simulator>(model, walker.settings);
    simulator->start_on_foot(walker.foot, {}, state, state.q.data(), state.v.data());
    const BodyId body = model.frames[foot.frame].body;
    const PoseTwist motion = body_motion(model, simulator->tree(), simulator->state(), body);
    const Mat3<double> R = motion.X_WH.R * transpose(model.bodies[body].R_bind);
    initial.orientation = {std::atan2(R.b.z, R.c.z), std::asin(std::clamp(-R.a.z, -1.0, 1.0)),
                           std::atan2(R.a.y, R.a.x)};
    initial.angular_velocity = motion.X_WH.R * motion.V_H.w;
  }
  std::vector<bool> follows(static_cast<std::size_t>(model.body_count));
  for (int k = 0; k < model.mimic_count; ++k)
    follows[static_cast<std::size_t>(model.mimics[k].joint.value)] = true;
  for (int i = 1; i < model.body_count; ++i) {
    if (follows[static_cast<std::size_t>(i)]) continue;
    const Joint& joint = model.joints[i];
    initial.joints.push_back({JointId(i), state.q[static_cast<std::size_t>(joint.q_index)],
                              state.v[static_cast<std::size_t>(joint.v_index)]});
  }
  initial.locked = walker.locked;
  return initial;
}

}  // namespace stance
