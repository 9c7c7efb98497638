// Configure time: what is asked for is checked, by name, and turned into a plant.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/plant/plant.hpp"

namespace stance {
namespace {

std::string quoted(std::string_view name) {
  std::string text(1, '\'');
  text += name;
  text += '\'';
  return text;
}
std::string joint_name(const Model& model, int joint) {
  return "joint " + quoted(model.joints[joint].name.view());
}

// The first complaint, if there is one.
using Complaint = std::optional<Error>;

Complaint complain(ErrorCode code, std::string element, std::string message) {
  return Error{code, std::move(element), std::move(message)};
}

struct Bound {
  const char* what;
  double value;
};

Complaint not_below_zero(const std::string& element, std::initializer_list<Bound> bounds) {
  for (const Bound& bound : bounds) {
    if (!(bound.value >= 0) || !std::isfinite(bound.value)) {
      return complain(ErrorCode::kValue, element,
                      std::string(bound.what) + " is " + std::to_string(bound.value) +
                          "; it must be a finite number, zero or above");
    }
  }
  return {};
}

Complaint above_zero(const std::string& element, const char* what, double value) {
  if (value > 0) return {};
  return complain(ErrorCode::kValue, element,
                  std::string(what) + " is " + std::to_string(value) + "; it must be above zero");
}

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Complaint check(const std::string& element, const char* what, const ScalarError& error) {
  if (!std::isfinite(error.bias))
    return complain(ErrorCode::kValue, element,
                    std::string("the bias of ") + what + " is not finite");
  const std::string text = std::string("the deviation of ") + what;
  return not_below_zero(element, {{text.c_str(), error.deviation}});
}

Complaint check(const std::string& element, const char* what, const VectorError& error) {
  if (!finite(error.bias))
    return complain(ErrorCode::kValue, element,
                    std::string("the bias of ") + what + " is not finite");
  const std::string text = std::string("the deviation of ") + what;
  return not_below_zero(element, {{text.c_str(), error.deviation}});
}

Complaint check_actuator(const std::string& element, const Actuator& a) {
  if (std::isnan(a.effort_limit) || std::isnan(a.armature) || std::isnan(a.servo.kp) ||
      std::isnan(a.servo.kd))
    return complain(ErrorCode::kValue, element,
                    "effort limit, armature or a servo gain is not a number; leave it out");
  if (!std::isfinite(a.armature) || !std::isfinite(a.servo.kp) || !std::isfinite(a.servo.kd))
    return complain(ErrorCode::kValue, element, "armature or a servo gain is infinite");
  if (std::isfinite(a.stall_effort) != std::isfinite(a.no_load_speed))
    return complain(ErrorCode::kStructure, element,
                    "stall effort and no-load speed make the motor's line together; give both");
  if ((a.servo.kp >= 0) != (a.servo.kd >= 0))
    return complain(ErrorCode::kStructure, element,
                    "servo gains kp and kd come together; give both, or the bandwidth");
  if (auto c = above_zero(element, "the stall effort", a.stall_effort)) return c;
  if (auto c = above_zero(element, "the no-load speed", a.no_load_speed)) return c;
  if (auto c = above_zero(element, "the friction speed", a.friction_speed)) return c;
  if (auto c = above_zero(element, "the servo's bandwidth", a.servo.bandwidth)) return c;
  return not_below_zero(element, {{"the friction", a.friction},
                                  {"the viscous friction", a.viscous},
                                  {"the delay", a.delay},
                                  {"the servo's bandwidth", a.servo.bandwidth}});
}

Complaint check_wrench(const Model& model, const Wrench& wrench, const std::string& element) {
  if (wrench.frame < 0 || wrench.frame >= model.frame_count)
    return complain(ErrorCode::kStructure, element, "pushes a link that the robot does not have");
  if (!finite(wrench.point_F) || !finite(wrench.force_W) || !finite(wrench.torque_W))
    return complain(ErrorCode::kValue, element, "point, force or torque is not finite");
  if (auto c = not_below_zero(element, {{"the start", wrench.start},
                                        {"the duration", wrench.duration},
                                        {"the ramp", wrench.ramp}}))
    return c;
  if (2 * wrench.ramp > wrench.duration)
    return complain(ErrorCode::kValue, element,
                    "the ramp is longer than half the duration; up and down must fit into it");
  return {};
}

Complaint check_capacity(const char* what, std::size_t count, int most, const char* constant) {
  if (count <= static_cast<std::size_t>(most)) return {};
  return complain(ErrorCode::kCapacity, what,
                  "there are " + std::to_string(count) + ", and this build of stance holds " +
                      std::to_string(most) + " (" + constant + " in base/capacity.hpp)");
}

// Names that are there and differ.
template <class Item>
Complaint check_names(const char* what, const std::vector<Item>& items) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name.empty())
      return complain(ErrorCode::kStructure, std::string(what) + " " + std::to_string(i),
                      "has no name; give it one");
    if (!seen.insert(items[i].name).second)
      return complain(ErrorCode::kStructure, std::string(what) + " " + quoted(items[i].name),
                      "is there twice; names must differ");
  }
  return {};
}

Complaint check_keyframe(const Model& model, const SimulatorSettings& simulator,
                         const Keyframe& keyframe) {
  const std::string element = "keyframe " + quoted(keyframe.name);
  const SimulatorSnapshot& s = keyframe.snapshot;
  if (s.mode.root < 0 || s.mode.root >= model.body_count ||
      s.mode.root_foot >= simulator.foot_count)
    return complain(ErrorCode::kStructure, element,
                    "is of another robot; save it from a simulator of this one");
  double zero = 0;
  for (int i = 0; i < model.coordinate_count; ++i) zero += 0 * s.state.q[i];
  for (int i = 0; i < model.dof_count; ++i) zero += 0 * s.state.v[i];
  if (zero != 0) return complain(ErrorCode::kValue, element, "has a number that is not finite");
  return {};
}

Complaint check_sensors(const Model& model, const SimulatorSettings& simulator,
                        const PlantSettings& settings) {
  for (int i = 1; i < model.body_count; ++i) {
    const std::string element = joint_name(model, i);
    const JointSensor& sensor = settings.joint_sensors[i];
    if (auto c = check(element, "position", sensor.position)) return c;
    if (auto c = check(element, "velocity", sensor.velocity)) return c;
    if (auto c = check(element, "effort", sensor.effort)) return c;
  }
  if (auto c = not_below_zero("joint sensors", {{"the latency", settings.joint_latency}})) return c;
  const BaseSensor& base = settings.base;
  if (auto c = check("base", "position", base.position)) return c;
  if (auto c = check("base", "orientation", base.orientation)) return c;
  if (auto c = check("base", "linear velocity", base.linear_velocity)) return c;
  if (auto c = check("base", "angular velocity", base.angular_velocity)) return c;
  if (auto c = not_below_zero("base", {{"the latency", base.latency}})) return c;

  if (auto c = check_capacity("IMUs", settings.imus.size(), kMaxImus, "kMaxImus")) return c;
  if (auto c = check_names("IMU", settings.imus)) return c;
  for (const ImuSettings& imu : settings.imus) {
    const std::string element = "IMU " + quoted(imu.name);
    if (imu.frame < 0 || imu.frame >= model.frame_count)
      return complain(ErrorCode::kStructure, element,
                      "sits on a link that the robot does not have");
    if (auto c = check(element, "orientation", imu.orientation)) return c;
    if (auto c = check(element, "angular velocity", imu.angular_velocity)) return c;
    if (auto c = check(element, "linear acceleration", imu.linear_acceleration)) return c;
    if (auto c = not_below_zero(element, {{"the latency", imu.latency}})) return c;
  }
  if (auto c = check_capacity("force-torque sensors", settings.force_torques.size(),
                              kMaxForceTorques, "kMaxForceTorques"))
    return c;
  if (auto c = check_names("force-torque sensor", settings.force_torques)) return c;
  for (const ForceTorqueSettings& sensor : settings.force_torques) {
    const std::string element = "force-torque sensor " + quoted(sensor.name);
    if (sensor.joint < 1 || sensor.joint >= model.body_count)
      return complain(ErrorCode::kStructure, element,
                      "sits in a joint that the robot does not have, or that does not move");
    if (auto c = check(element, "force", sensor.force)) return c;
    if (auto c = check(element, "torque", sensor.torque)) return c;
    if (auto c = not_below_zero(element, {{"the latency", sensor.latency}})) return c;
  }
  for (int i = 0; i < simulator.foot_count; ++i) {
    const FootSensor& foot = settings.feet[i];
    const std::string element = "foot " + quoted(model.frames[simulator.feet[i].frame].name.view());
    if (auto c = check(element, "force", foot.force)) return c;
    if (auto c = check(element, "torque", foot.torque)) return c;
    if (auto c = not_below_zero(element, {{"the on time", foot.on_time},
                                          {"the off time", foot.off_time},
                                          {"the latency", foot.latency}}))
      return c;
  }
  return {};
}

Complaint check_settings(const Model& model, const SimulatorSettings& simulator,
                         const PlantSettings& settings) {
  if (auto c = above_zero("simulator", "the step", simulator.step)) return c;
  if (!(settings.theta >= 0.5 && settings.theta <= 1))
    return complain(ErrorCode::kValue, "plant",
                    "theta is " + std::to_string(settings.theta) + "; it must be from 0.5 to 1");
  for (int i = 1; i < model.body_count; ++i) {
    if (auto c = check_actuator(joint_name(model, i), settings.actuators[i])) return c;
  }
  if (auto c = check_sensors(model, simulator, settings)) return c;
  if (auto c = check_capacity("keyframes", settings.keyframes.size(), kMaxKeyframes,
                              "kMaxKeyframes"))
    return c;
  if (auto c = check_names("keyframe", settings.keyframes)) return c;
  for (const Keyframe& keyframe : settings.keyframes) {
    if (auto c = check_keyframe(model, simulator, keyframe)) return c;
  }
  if (auto c = check_capacity("pushes", settings.wrenches.size(), kMaxWrenches, "kMaxWrenches"))
    return c;
  for (std::size_t i = 0; i < settings.wrenches.size(); ++i) {
    if (auto c = check_wrench(model, settings.wrenches[i], "push " + std::to_string(i))) return c;
  }
  return {};
}

// The model with the drives' own armatures.
std::unique_ptr<Model> with_armatures(const Model& model, const PlantSettings& settings) {
  auto changed = std::make_unique<Model>(model);
  for (int i = 1; i < model.body_count; ++i) {
    if (settings.actuators[i].armature >= 0)
      changed->joints[i].armature = settings.actuators[i].armature;
  }
  derive(*changed);
  return changed;
}

// What joint i moves at the bind pose if the body at `root` stands still.
double moved_inertia(const Model& model, BodyId root, int joint, Workspace& w) {
  const auto tree = std::make_unique<Tree>(make_tree(model, root));
  kinematics(model, *tree, neutral_state(model, *tree), w);
  const auto M = std::make_unique<MassMatrix>();
  crba(*tree, w, *M);
  Eigen::MatrixXd M_user(model.dof_count, model.dof_count);
  mass_matrix(model, *tree, w, *M, M_user);
  return M_user(model.joints[joint].v_index, model.joints[joint].v_index);
}

}  // namespace

Result<std::unique_ptr<Plant>> Plant::make(const Model& model, const SimulatorSettings& simulator,
                                           PlantSettings settings) {
  if (auto complaint = check_settings(model, simulator, settings)) return *std::move(complaint);
  for (int i = 1; i < model.body_count; ++i) {
    Actuator& actuator = settings.actuators[i];
    if (actuator.effort_limit < 0) actuator.effort_limit = model.joints[i].limits.effort;
    if (settings.file_friction && actuator.friction == 0)
      actuator.friction = model.joints[i].friction;
  }
  const auto changed = with_armatures(model, settings);
  std::unique_ptr<Plant> plant(new Plant(*changed, simulator, std::move(settings)));
  if (const int lacking = plant->lay_lines(); lacking > 0) {
    return Error{ErrorCode::kCapacity, "plant",
                 "delays and latencies need room for " + std::to_string(lacking) +
                     " numbers more than this build of stance holds; shorten them, or raise "
                     "kMaxDelayedNumbers in base/capacity.hpp"};
  }
  if (const Status status = plant->reset(0); status != Status::kOk) {
    return Error{ErrorCode::kInertia, "plant", std::string("does not start: ") + to_string(status)};
  }
  plant->epoch_ = 0;
  return plant;
}

Plant::Plant(const Model& model, const SimulatorSettings& simulator, PlantSettings settings)
    : model_(model), settings_(std::move(settings)), simulator_(model_, simulator) {
  own_push_off_ = simulator.push_off.impulse;
  for (int i = 1; i < model_.body_count; ++i) driven_[i] = dof_count(model_.joints[i].kind) == 1;
  for (int k = 0; k < model_.mimic_count; ++k) driven_[model_.mimics[k].joint] = false;
  for (int i = 1; i < model_.body_count; ++i) {
    if (!driven_[i]) continue;
    Servo& servo = settings_.actuators[i].servo;
    if (servo.kp >= 0) continue;
    const double far = moved_inertia(model_, BodyId(0), i, simulator_.workspace());
    const double near = moved_inertia(model_, BodyId(i), i, simulator_.workspace());
    const double inertia = std::max(far, near);
    servo.kp = inertia * servo.bandwidth * servo.bandwidth;
    servo.kd = 2 * inertia * servo.bandwidth;
  }
  if (settings_.keyframes.empty()) settings_.keyframes.push_back({"start", simulator_.save()});
  needs_forces_ = !settings_.imus.empty() || !settings_.force_torques.empty() ||
                  (settings_.foot_forces && simulator.foot_count > 0);
}

int Plant::sub_steps(double seconds) const noexcept {
  // bounded before it becomes an int
  return static_cast<int>(
      std::lround(std::min(seconds / simulator_.settings().step, double{kMaxDelayedNumbers})));
}

int Plant::lay_lines() noexcept {
  DelayRoom room;
  const auto lay = [&](int width, double latency) {
    latent_ = latent_ || sub_steps(latency) > 0;
    return room.take(sub_steps(latency) > 0 ? width : 0, sub_steps(latency));
  };
  joint_line_ = lay(3 * model_.body_count, settings_.joint_latency);
  base_line_ = lay(13, settings_.base.latency);
  for (std::size_t i = 0; i < settings_.imus.size(); ++i)
    imu_lines_[i] = lay(10, settings_.imus[i].latency);
  for (std::size_t i = 0; i < settings_.force_torques.size(); ++i)
    force_torque_lines_[i] = lay(6, settings_.force_torques[i].latency);
  for (int i = 0; i < simulator_.settings().foot_count; ++i)
    foot_lines_[i] = lay(sizeof(FootReading) / sizeof(double), settings_.feet[i].latency);
  // commands get the rest: their delays, and what is left for spikes
  int needed = 0, count = 0;
  for (int i = 1; i < model_.body_count; ++i) {
    if (!driven_[i]) continue;
    needed += DelayRoom::size(5, sub_steps(settings_.actuators[i].delay));
    ++count;
  }
  if (needed > room.left()) return needed - room.left();
  room_ = count > 0 ? (room.left() - needed) / (5 * count) : 0;
  for (int i = 1; i < model_.body_count; ++i) {
    if (driven_[i])
      command_lines_[i] = room.take(5, sub_steps(settings_.actuators[i].delay) + room_);
  }
  return 0;
}

Result<JointId> Plant::find_driven_joint(std::string_view name) const {
  const std::string element = "joint " + quoted(name);
  const JointId joint = find_joint(model_, name);
  if (!joint.valid())
    return Error{ErrorCode::kStructure, element,
                 "the robot has no such joint, or it is fixed; check the name"};
  if (driven_[joint]) return joint;
  if (dof_count(model_.joints[joint].kind) != 1)
    return Error{ErrorCode::kUnsupported, element,
                 "has " + std::to_string(dof_count(model_.joints[joint].kind)) +
                     " degrees of freedom; only joints with one can be driven"};
  for (int k = 0; k < model_.mimic_count; ++k) {
    if (model_.mimics[k].joint == joint)
      return Error{ErrorCode::kMimic, element,
                   "follows " + quoted(model_.joints[model_.mimics[k].leader].name.view()) +
                       "; drive that one"};
  }
  return Error{ErrorCode::kStructure, element, "cannot be driven"};
}

int Plant::find_imu(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < settings_.imus.size(); ++i)
    if (settings_.imus[i].name == name) return static_cast<int>(i);
  return -1;
}

int Plant::find_force_torque(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < settings_.force_torques.size(); ++i)
    if (settings_.force_torques[i].name == name) return static_cast<int>(i);
  return -1;
}

int Plant::find_foot(std::string_view link) const noexcept {
  for (int i = 0; i < simulator_.settings().foot_count; ++i)
    if (model_.frames[simulator_.settings().feet[i].frame].name == link) return i;
  return -1;
}

int Plant::find_keyframe(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < settings_.keyframes.size(); ++i)
    if (settings_.keyframes[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace stance
