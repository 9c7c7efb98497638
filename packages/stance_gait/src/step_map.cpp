#include "stance_gait/step_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

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

// Does the joint stand at the stop that just let it go?
bool just_released(const Walker& walker, JointId joint) {
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

// ---- turns: q = q0 exp(r), with r the turn in axes of the moved frame

void turn(const double* q0, const double* r, double* q) {
  const double angle = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const double s = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle, c = std::cos(angle / 2);
  const double x = s * r[0], y = s * r[1], z = s * r[2];
  q[0] = q0[3] * x + q0[0] * c + q0[1] * z - q0[2] * y;
  q[1] = q0[3] * y - q0[0] * z + q0[1] * c + q0[2] * x;
  q[2] = q0[3] * z + q0[0] * y - q0[1] * x + q0[2] * c;
  q[3] = q0[3] * c - q0[0] * x - q0[1] * y - q0[2] * z;
}

void turn_between(const double* q0, const double* q, double* r) {
  double w = q0[3] * q[3] + q0[0] * q[0] + q0[1] * q[1] + q0[2] * q[2];
  double x = q0[3] * q[0] - q0[0] * q[3] - q0[1] * q[2] + q0[2] * q[1];
  double y = q0[3] * q[1] + q0[0] * q[2] - q0[1] * q[3] - q0[2] * q[0];
  double z = q0[3] * q[2] - q0[0] * q[1] + q0[1] * q[0] - q0[2] * q[3];
  if (w < 0) w = -w, x = -x, y = -y, z = -z;
  const double sine = std::sqrt(x * x + y * y + z * z);
  const double k = sine < 1e-8 ? 2 / w : 2 * std::atan2(sine, w) / sine;
  r[0] = k * x, r[1] = k * y, r[2] = k * z;
}

// ---- what a walk needs

int first_site(const Simulator& simulator, int foot) {
  for (int i = 0; i < simulator.site_count(); ++i) {
    if (simulator.site(i).foot == foot) return i;
  }
  return -1;
}

// The forces at this instant.
Status note_forces(Simulator& simulator, const DofVector& tau, WalkNeeds& needs) {
  DofVector a;
  Load load;
  if (const Status status = simulator.observe(tau, {}, a, load); status != Status::kOk)
    return status;
  const Vec3<double>& n = simulator.settings().ground.normal;
  for (int foot = 0; foot < simulator.settings().foot_count; ++foot) {
    if (simulator.foot_mode(foot) == ContactMode::kOpen) continue;
    Vec3<double> f;
    for (int i = 0; i < simulator.site_count(); ++i) {
      if (simulator.site(i).foot == foot) f += load.force_W[static_cast<std::size_t>(i)];
    }
    const double normal = dot(n, f);
    needs.least_normal = std::min(needs.least_normal, normal);
    if (normal > 0)
      needs.most_friction = std::max(needs.most_friction, norm(f - n * normal) / normal);
  }
  return Status::kOk;
}

// A sub-step from `before` to now under constant efforts: their work is exact.
void note_work(const Simulator& simulator, const DofVector& tau, const State& before,
               WalkNeeds& needs) {
  const Model& model = simulator.model();
  const double h = simulator.state().time - before.time;
  for (int i = 1; i < model.body_count; ++i) {
    const auto q = static_cast<std::size_t>(model.joints[i].q_index);
    const double effort = tau[static_cast<std::size_t>(model.joints[i].v_index)];
    if (effort == 0) continue;
    const double work = effort * (simulator.state().q[q] - before.q[q]);
    needs.peak_effort = std::max(needs.peak_effort, std::abs(effort));
    if (h > 0) needs.peak_power = std::max(needs.peak_power, std::abs(work) / h);
    needs.work += std::abs(work);
    needs.positive_work += std::max(work, 0.0);
  }
}

void add_needs(const WalkNeeds& of_step, WalkNeeds& all) {
  all.least_normal = std::min(all.least_normal, of_step.least_normal);
  all.most_friction = std::max(all.most_friction, of_step.most_friction);
  all.peak_effort = std::max(all.peak_effort, of_step.peak_effort);
  all.peak_power = std::max(all.peak_power, of_step.peak_power);
  all.work += of_step.work, all.positive_work += of_step.positive_work;
  all.push_off_work += of_step.push_off_work, all.gravity_work += of_step.gravity_work;
}

Vec3<double> mass_center(Simulator& simulator) {
  kinematics(simulator.model(), simulator.tree(), simulator.state(), simulator.workspace());
  return center_of_mass(simulator.tree(), simulator.workspace());
}

}  // namespace

void sharpen(SimulatorSettings& settings) noexcept {
  settings.step = 5e-3;
  settings.integrator = {Method::kDormandPrince, 1e-13, 1000};
  settings.event_tolerance = 1e-14;
}

State exchanged(const Model& model, const Exchange& exchange, const State& state) noexcept {
  State out = state;
  if (exchange.mirrored) {  // lateral is z of the support's axes, and turns are axial vectors
    out.q[0] = -state.q[0], out.q[1] = -state.q[1];
    out.v[0] = -state.v[0], out.v[1] = -state.v[1];
  } else {
    out.q[0] = exchange.support_sign * state.q[0] + exchange.support_offset;
    out.v[0] = exchange.support_sign * state.v[0];
  }
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
    if (kind == JointKind::kFree)
      return Error{ErrorCode::kUnsupported, foot_name(walker, i),
                   "step maps are for walkers that stand on a pin, a roll, a ball or a weld, and a "
                   "sphere that rolls freely is none of them"};
  }
  for (int i = 1; i < model.body_count; ++i) {
    if (dof_count(model.joints[i].kind) != 1)
      return Error{ErrorCode::kUnsupported, joint_name(model, JointId(i)),
                   "step maps are for joints of one degree of freedom: hinges and slides"};
  }
  for (const JointImage& image : walker.exchange.joints) {
    for (const JointId joint : {image.joint, image.from}) {
      if (joint < 1 || joint >= model.body_count)
        return Error{ErrorCode::kValue, "exchange", "names a joint that the robot does not have"};
    }
  }
  return StepMap(walker);
}

StepMap::StepMap(const Walker& walker)
    : walker_(walker),
      law_(walker.law ? walker.law->clone() : nullptr),
      simulator_(std::make_unique<Simulator>(*walker.model, walker.settings)) {
  const Model& model = *walker_.model;
  Simulator& simulator = *simulator_;
  simulator.start_on_foot(walker_.foot, walker_.settings.ground.point, walker_.start,
                          walker_.start.q.data(), walker_.start.v.data());
  for (const JointId joint : walker_.locked) simulator.lock(joint);
  section_ = simulator.save();
  // a walker on its way, not one that is set down: a foot that has just left may be said to be under the ground
  section_.fresh = section_.below_ground = false;
  for (int i = 0; i < simulator.site_count(); ++i) {
    for (const int foot : walker_.other_feet) {
      if (simulator.site(i).foot == foot)
        section_.mode.sites[static_cast<std::size_t>(i)].mode = ContactMode::kStick;
    }
  }
  const Foot& foot = walker_.settings.feet[static_cast<std::size_t>(walker_.foot)];
  if (const int n = dof_count(foot.support); n > 0) parts_.push_back({0, 0, n, {}});
  for (int i = 1; i < model.body_count; ++i) {
    bool free = !contains(walker_.locked, JointId(i)) && !just_released(walker_, JointId(i));
    for (int k = 0; k < model.mimic_count; ++k) free = free && model.mimics[k].joint != JointId(i);
    if (free) parts_.push_back({model.joints[i].q_index, model.joints[i].v_index, 1, JointId(i)});
  }
  for (const Part& part : parts_) position_count_ += part.count;
  if (law_) memory_count_ = law_->memory_count();
}

Eigen::VectorXd StepMap::coordinates(const State& state) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(dimension());
  int i = 0;
  for (const Part& part : parts_) {
    const auto q = static_cast<std::size_t>(part.q), v = static_cast<std::size_t>(part.v);
    if (part.count == 3) {
      turn_between(&walker_.start.q[q], &state.q[q], &x[i]);
    } else {
      x[i] = state.q[q];
    }
    for (int k = 0; k < part.count; ++k)
      x[position_count_ + i + k] = state.v[v + static_cast<std::size_t>(k)];
    i += part.count;
  }
  return x;
}

State StepMap::state(const Eigen::VectorXd& x) const {
  State state = walker_.start;
  state.time = 0;
  int i = 0;
  for (const Part& part : parts_) {
    const auto q = static_cast<std::size_t>(part.q), v = static_cast<std::size_t>(part.v);
    if (part.count == 3) {
      turn(&walker_.start.q[q], &x[i], &state.q[q]);
    } else {
      state.q[q] = x[i];
    }
    for (int k = 0; k < part.count; ++k)
      state.v[v + static_cast<std::size_t>(k)] = x[position_count_ + i + k];
    i += part.count;
  }
  apply_mimic(*walker_.model, state);
  return state;
}

std::string StepMap::name(int coordinate) const {
  if (coordinate >= 2 * position_count_)
    return "law." + std::to_string(coordinate - 2 * position_count_);
  int i = coordinate % position_count_;
  const char* what = coordinate < position_count_ ? ".position" : ".velocity";
  for (const Part& part : parts_) {
    if (i < part.count) {
      std::string name = part.joint.valid()
                             ? std::string(walker_.model->joints[part.joint].name.view())
                             : std::string("support");
      if (part.count == 3) name += std::string(".") + "xyz"[i];
      return name + what;
    }
    i -= part.count;
  }
  return {};
}

// Step by step, each from the section, as its image with the legs exchanged: a long walk is as exact as its steps.
Result<GaitStep> StepMap::walk(const Eigen::VectorXd& x, int steps, WalkNeeds* needs) const {
  GaitStep walk;
  walk.x = x;
  for (int k = 0; k < steps; ++k) {
    WalkNeeds of_step;
    Result<GaitStep> step = walk_once(walk.x, needs ? &of_step : nullptr);
    if (!step) return step;
    walk.x = step->x;
    walk.period += step->period, walk.length += step->length;
    walk.energy_lost += step->energy_lost;
    walk.periods.push_back(step->period);
    walk.lengths.push_back(step->length);
    walk.losses.push_back(step->energy_lost);
    if (needs) {
      if (k == 0) {
        *needs = of_step;
      } else {
        add_needs(of_step, *needs);
      }
    }
  }
  return walk;
}

Result<GaitStep> StepMap::walk_once(const Eigen::VectorXd& x, WalkNeeds* needs) const {
  const Model& model = *walker_.model;
  Simulator& simulator = *simulator_;
  SimulatorSnapshot snapshot = section_;
  snapshot.state = state(x);
  simulator.restore(snapshot);
  if (!walker_.other_feet.empty()) {  // they stand where this state has them
    for (int i = 0; i < simulator.site_count(); ++i) {
      SiteMode& site = snapshot.mode.sites[static_cast<std::size_t>(i)];
      if (site.mode == ContactMode::kOpen || simulator.site(i).foot == walker_.foot) continue;
      site.anchor_W = simulator.site_point(i);
      site.height = walker_.settings.ground.height(site.anchor_W);
    }
    simulator.restore(snapshot);
  }
  for (ContactEvent event; simulator.events().pop(event);) continue;  // of a walk that ended early
  if (law_) {
    law_->remember(x.data() + 2 * position_count_);
    law_->touch_down(walker_.foot);
  }
  const Vec3<double> contact = simulator.site_point(first_site(simulator, walker_.foot));
  Vec3<double> center;
  if (needs) {
    *needs = WalkNeeds{};
    needs->least_normal = std::numeric_limits<double>::infinity();
    center = mass_center(simulator);
  }
  GaitStep step;
  DofVector tau = walker_.tau;
  double began = 0;
  int touched = -1;
  for (int instants = 0; instants < walker_.touchdowns;) {
    if (law_) {
      if (const Status status = law_->drive(simulator, tau); status != Status::kOk)
        return no_step(to_string(status));
    }
    State before;
    if (needs) {
      if (const Status status = note_forces(simulator, tau, *needs); status != Status::kOk)
        return no_step(to_string(status));
      before = simulator.state();
    }
    const Status status = simulator.step_to_event(tau);
    if (status != Status::kOk) return no_step(to_string(status));
    if (needs) note_work(simulator, tau, before, *needs);
    touched = -1;
    ContactEvent event;
    while (simulator.events().pop(event)) {
      step.energy_lost += event.energy_lost;
      if (needs && event.kind == EventKind::kPushOff) needs->push_off_work -= event.energy_lost;
      if (event.kind != EventKind::kTouchdown) continue;
      for (int i = 0; i < walker_.settings.foot_count; ++i) {
        if (walker_.settings.feet[static_cast<std::size_t>(i)].frame == event.frame) touched = i;
      }
    }
    if (simulator.fallen()) {
      return no_step("the walker fell after " + std::to_string(simulator.state().time) +
                     " s: start nearer to its gait, or on another slope");
    }
    if (touched >= 0) {
      ++instants;
      began = simulator.state().time;
      if (law_ && instants < walker_.touchdowns) law_->touch_down(simulator.support_foot());
    } else if (simulator.state().time - began > walker_.time_limit) {
      return no_step("no foot touched down within " + std::to_string(walker_.time_limit) + " s");
    }
  }
  const int expected = walker_.exchange.feet[static_cast<std::size_t>(walker_.foot)];
  if (simulator.support_foot() != expected)
    return no_step("the step ended on " + foot_name(walker_, simulator.support_foot()) +
                   ", the exchange says " + foot_name(walker_, expected));
  step.length = dot(walker_.settings.ground.forward(),
                    simulator.site_point(first_site(simulator, touched)) - contact);
  step.period = simulator.state().time;
  if (needs)
    needs->gravity_work = total_mass(model) * dot(model.gravity, mass_center(simulator) - center);

  // who stands and what is held must be as at the start, with the legs exchanged
  std::vector<bool> locked(static_cast<std::size_t>(model.body_count));
  for (int i = 1; i < model.body_count; ++i)
    locked[static_cast<std::size_t>(i)] = simulator.mode().locked[static_cast<std::size_t>(i)];
  const std::vector<bool> before = locked;
  for (const JointImage& j : walker_.exchange.joints)
    locked[static_cast<std::size_t>(j.joint.value)] =
        before[static_cast<std::size_t>(j.from.value)];
  for (int i = 1; i < model.body_count; ++i) {
    if (locked[static_cast<std::size_t>(i)] != contains(walker_.locked, JointId(i)))
      return no_step(joint_name(model, JointId(i)) +
                     " is locked at one end of the step and free at the other");
  }
  int standing = 0;
  for (int f = 0; f < walker_.settings.foot_count; ++f)
    standing += simulator.foot_mode(f) != ContactMode::kOpen ? 1 : 0;
  if (standing != 1 + static_cast<int>(walker_.other_feet.size()))
    return no_step("it stands on " + std::to_string(standing) +
                   " feet at the end of the step, and on " +
                   std::to_string(1 + walker_.other_feet.size()) + " at its start");
  step.x = coordinates(exchanged(model, walker_.exchange, simulator.state()));
  if (law_) law_->tell(step.x.data() + 2 * position_count_);
  return step;
}

}  // namespace stance
