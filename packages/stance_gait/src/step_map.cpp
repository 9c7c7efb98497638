#include "stance_gait/step_map.hpp"

#include <algorithm>
#include <string>

namespace stance {
namespace {

bool contains(const std::vector<JointId>& joints, JointId joint) {
  return std::find(joints.begin(), joints.end(), joint) != joints.end();
}

Error no_step(const std::string& what) { return {ErrorCode::kValue, "step", what}; }

std::string foot_name(const Walker& walker, int foot) {
  if (foot < 0) return "no foot";
  const FrameId frame = walker.settings.feet[static_cast<std::size_t>(foot)].frame;
  return "foot '" + std::string(walker.model->frames[frame].name.view()) + "'";
}

std::string joint_name(const Model& model, JointId joint) {
  return "joint '" + std::string(model.joints[joint].name.view()) + "'";
}

}  // namespace

void sharpen(SimulatorSettings& settings) noexcept {
  settings.step = 5e-3;
  settings.integrator = {Method::kDormandPrince, 1e-13, 1000};
  settings.event_tolerance = 1e-14;
}

State exchanged(const Model& model, const Exchange& exchange, const State& state) noexcept {
  State out = state;
  out.q[0] = exchange.support_sign * state.q[0] + exchange.support_offset;
  out.v[0] = exchange.support_sign * state.v[0];
  for (const JointImage& image : exchange.joints) {
    const Joint& to = model.joints[image.joint];
    const Joint& from = model.joints[image.from];
    out.q[static_cast<std::size_t>(to.q_index)] =
        image.sign * state.q[static_cast<std::size_t>(from.q_index)] + image.offset;
    out.v[static_cast<std::size_t>(to.v_index)] = image.sign *
                                                  state.v[static_cast<std::size_t>(from.v_index)];
  }
  return out;
}

Result<StepMap> StepMap::make(const Walker& walker) {
  const Model& model = *walker.model;
  const SimulatorSettings& settings = walker.settings;
  if (walker.foot < 0 || walker.foot >= settings.foot_count)
    return Error{ErrorCode::kValue, "walker", "starts on a foot that the settings do not have"};
  if (static_cast<int>(walker.exchange.feet.size()) != settings.foot_count)
    return Error{ErrorCode::kValue, "exchange", "must name one foot for each foot of the walker"};
  for (int i = 0; i < settings.foot_count; ++i) {
    const int image = walker.exchange.feet[static_cast<std::size_t>(i)];
    if (image < 0 || image >= settings.foot_count)
      return Error{ErrorCode::kValue, "exchange", "names a foot that the settings do not have"};
    const JointKind kind = settings.feet[static_cast<std::size_t>(i)].support;
    if (kind != JointKind::kRevolute && kind != JointKind::kRoll && kind != JointKind::kFixed)
      return Error{ErrorCode::kUnsupported, foot_name(walker, i),
                   "step maps are for planar walkers: use a pin, a roll or a weld"};
  }
  for (int i = 1; i < model.body_count; ++i) {
    if (dof_count(model.joints[i].kind) != 1)
      return Error{ErrorCode::kUnsupported, joint_name(model, JointId(i)),
                   "step maps are for planar walkers: joints of one degree of freedom only"};
  }
  for (const JointImage& image : walker.exchange.joints) {
    for (const JointId joint : {image.joint, image.from}) {
      if (joint < 1 || joint >= model.body_count)
        return Error{ErrorCode::kValue, "exchange", "names a joint that the robot does not have"};
    }
  }
  return StepMap(walker);
}

// Does the joint stand at the stop that just let it go?
static bool just_released(const Walker& walker, JointId joint) {
  const Joint& j = walker.model->joints[joint];
  const double q = walker.start.q[static_cast<std::size_t>(j.q_index)];
  const double v = walker.start.v[static_cast<std::size_t>(j.v_index)];
  for (int k = 0; k < walker.settings.stop_count; ++k) {
    const Stop& stop = walker.settings.stops[static_cast<std::size_t>(k)];
    const double limit = stop.at_lower ? j.limits.lower : j.limits.upper;
    if (stop.joint == joint && stop.release_foot >= 0 && q == limit && v == 0) return true;
  }
  return false;
}

StepMap::StepMap(const Walker& walker)
    : walker_(walker), simulator_(std::make_unique<Simulator>(*walker.model, walker.settings)) {
  const Model& model = *walker_.model;
  Simulator& simulator = *simulator_;
  simulator.start_on_foot(walker_.foot, walker_.settings.ground.point, walker_.start,
                          walker_.start.q.data(), walker_.start.v.data());
  for (const JointId joint : walker_.locked) simulator.lock(joint);
  section_ = simulator.save();
  // a walker on its way, not one that is set down: a foot that has just left may be said to be under the ground
  section_.fresh = section_.below_ground = false;
  const Foot& foot = walker_.settings.feet[static_cast<std::size_t>(walker_.foot)];
  if (dof_count(foot.support) == 1) q_index_.push_back(0), v_index_.push_back(0);
  for (int i = 1; i < model.body_count; ++i) {
    bool free = !contains(walker_.locked, JointId(i)) && !just_released(walker_, JointId(i));
    for (int k = 0; k < model.mimic_count; ++k) free = free && model.mimics[k].joint != JointId(i);
    if (!free) continue;
    q_index_.push_back(model.joints[i].q_index);
    v_index_.push_back(model.joints[i].v_index);
  }
}

Eigen::VectorXd StepMap::coordinates(const State& state) const {
  const auto n = static_cast<Eigen::Index>(q_index_.size());
  Eigen::VectorXd x(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    x[i] = state.q[static_cast<std::size_t>(q_index_[static_cast<std::size_t>(i)])];
    x[n + i] = state.v[static_cast<std::size_t>(v_index_[static_cast<std::size_t>(i)])];
  }
  return x;
}

State StepMap::state(const Eigen::VectorXd& x) const {
  const auto n = static_cast<Eigen::Index>(q_index_.size());
  State state = walker_.start;
  state.time = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    state.q[static_cast<std::size_t>(q_index_[static_cast<std::size_t>(i)])] = x[i];
    state.v[static_cast<std::size_t>(v_index_[static_cast<std::size_t>(i)])] = x[n + i];
  }
  apply_mimic(*walker_.model, state);
  return state;
}

Result<GaitStep> StepMap::walk(const Eigen::VectorXd& x, int steps) const {
  const Model& model = *walker_.model;
  Simulator& simulator = *simulator_;
  SimulatorSnapshot snapshot = section_;
  snapshot.state = this->state(x);
  simulator.restore(snapshot);
  for (ContactEvent event; simulator.events().pop(event);) continue;  // of a walk that ended early

  GaitStep step;
  Vec3<double> contact = walker_.settings.ground.point;
  int foot = walker_.foot;
  double began = 0;
  for (int done = 0; done < steps;) {
    const Status status = simulator.step_to_event(walker_.tau);
    if (status != Status::kOk) return no_step(to_string(status));
    bool touched = false;
    ContactEvent event;
    while (simulator.events().pop(event)) {
      step.energy_lost += event.energy_lost;
      if (event.kind != EventKind::kTouchdown) continue;
      touched = true;
      step.length += norm(event.point_W - contact);
      contact = event.point_W;
    }
    if (simulator.fallen()) {
      return no_step("the walker fell after " + std::to_string(simulator.state().time) +
                     " s: start nearer to its gait, or on another slope");
    }
    if (touched) {
      const int expected = walker_.exchange.feet[static_cast<std::size_t>(foot)];
      if (simulator.support_foot() != expected)
        return no_step("the step ended on " + foot_name(walker_, simulator.support_foot()) +
                       ", the exchange says " + foot_name(walker_, expected));
      foot = expected;
      began = simulator.state().time;
      ++done;
    } else if (simulator.state().time - began > walker_.time_limit) {
      return no_step("no foot touched down within " + std::to_string(walker_.time_limit) + " s");
    }
  }
  step.period = simulator.state().time;

  State end = simulator.state();
  std::vector<bool> locked(static_cast<std::size_t>(model.body_count));
  for (int i = 1; i < model.body_count; ++i)
    locked[static_cast<std::size_t>(i)] = simulator.mode().locked[static_cast<std::size_t>(i)];
  for (int k = 0; k < steps; ++k) {
    end = exchanged(model, walker_.exchange, end);
    const std::vector<bool> before = locked;
    for (const JointImage& image : walker_.exchange.joints)
      locked[static_cast<std::size_t>(image.joint.value)] =
          before[static_cast<std::size_t>(image.from.value)];
  }
  for (int i = 1; i < model.body_count; ++i) {
    if (locked[static_cast<std::size_t>(i)] != contains(walker_.locked, JointId(i)))
      return no_step(joint_name(model, JointId(i)) +
                     " is locked at one end of the step and free at the other");
  }
  step.x = coordinates(end);
  return step;
}

}  // namespace stance
