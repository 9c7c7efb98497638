#include "read_plant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robot_names.hpp"

namespace stance {
namespace {

// Dimensions of what a joint has, whether it turns or slides.
struct JointDimensions {
  Dimension position, velocity, effort, inertia, stiffness, damping;
};
constexpr JointDimensions kTurning{kAngle,           kAngularRate,   kTorque,
                                   kMomentOfInertia, {2, 1, -2, -1}, {2, 1, -1, -1}};
constexpr JointDimensions kSliding{kLength, kSpeed, kForce, kMass, {0, 1, -2, 0}, {0, 1, -1, 0}};

const JointDimensions& dimensions_of(const Scenario& scenario, JointId id) {
  return model_of(scenario).joints[id].kind == JointKind::kPrismatic ? kSliding : kTurning;
}

// Zero or above, where the key is there.
void not_below_zero(const Keys& keys, const char* key, const Dimension& dimension, double& to) {
  const auto setting = keys.find(key);
  if (!setting) return;
  to = setting->quantity(dimension);
  if (to < 0) setting->refuse(ErrorCode::kValue, "is below zero");
}

void positive(const Keys& keys, const char* key, const Dimension& dimension, double& to) {
  if (const auto setting = keys.find(key)) to = setting->positive(dimension);
}

void yes_or_no(const Keys& keys, const char* key, bool& to) {
  if (const auto setting = keys.find(key)) to = setting->word({"yes", "no"}) == 0;
}

void read_error(const Keys& keys, const char* key, const Dimension& dimension, ScalarError& to) {
  const auto setting = keys.find(key);
  if (!setting) return;
  const Keys error(*setting, {"bias", "deviation"});
  if (const auto bias = error.find("bias")) to.bias = bias->quantity(dimension);
  not_below_zero(error, "deviation", dimension, to.deviation);
}

void read_error(const Keys& keys, const char* key, const Dimension& dimension, VectorError& to) {
  const auto setting = keys.find(key);
  if (!setting) return;
  const Keys error(*setting, {"bias", "deviation"});
  if (const auto bias = error.find("bias")) to.bias = bias->vector(dimension);
  not_below_zero(error, "deviation", dimension, to.deviation);
}

void read_actuator(const Setting& setting, const JointDimensions& dimensions, Actuator& actuator) {
  const Keys keys(setting, {"effort_limit", "stall_effort", "no_load_speed", "friction", "viscous",
                            "friction_speed", "armature", "delay", "servo"});
  if (const auto limit = keys.find("effort_limit")) {
    if (limit->is_scalar() && limit->text() == "none") {
      actuator.effort_limit = std::numeric_limits<double>::infinity();
    } else {
      not_below_zero(keys, "effort_limit", dimensions.effort, actuator.effort_limit);
    }
  }
  if (keys.has("stall_effort") != keys.has("no_load_speed")) {
    setting.refuse(ErrorCode::kStructure,
                   "has one of 'stall_effort' and 'no_load_speed', which make the motor's line "
                   "together; give both");
  }
  positive(keys, "stall_effort", dimensions.effort, actuator.stall_effort);
  positive(keys, "no_load_speed", dimensions.velocity, actuator.no_load_speed);
  not_below_zero(keys, "friction", dimensions.effort, actuator.friction);
  not_below_zero(keys, "viscous", dimensions.damping, actuator.viscous);
  positive(keys, "friction_speed", dimensions.velocity, actuator.friction_speed);
  not_below_zero(keys, "armature", dimensions.inertia, actuator.armature);
  not_below_zero(keys, "delay", kTime, actuator.delay);
  const auto servo = keys.find("servo");
  if (!servo) return;
  const Keys gains(*servo, {"bandwidth", "kp", "kd"});
  if (gains.has("kp") != gains.has("kd") || gains.has("kp") == gains.has("bandwidth"))
    servo->refuse(ErrorCode::kStructure, "takes either 'bandwidth' or both 'kp' and 'kd'");
  positive(gains, "bandwidth", kAngularRate, actuator.servo.bandwidth);
  not_below_zero(gains, "kp", dimensions.stiffness, actuator.servo.kp);
  not_below_zero(gains, "kd", dimensions.damping, actuator.servo.kd);
}

void read_joint_sensor(const Setting& setting, const JointDimensions& dimensions,
                       JointSensor& sensor) {
  const Keys keys(setting, {"position", "velocity", "effort"});
  read_error(keys, "position", dimensions.position, sensor.position);
  read_error(keys, "velocity", dimensions.velocity, sensor.velocity);
  read_error(keys, "effort", dimensions.effort, sensor.effort);
}

std::string read_name(const Keys& keys, const std::string& example) {
  return keys.require("name", "name: " + example).text();
}

void read_sensors(const Keys& plant, Scenario& scenario) {
  const auto setting = plant.find("sensors");
  if (!setting) return;
  PlantSettings& settings = scenario.plant;
  const Keys keys(*setting, {"joints", "joint_latency", "base", "imus", "force_torques", "feet"});
  if (const auto joints = keys.find("joints")) {
    for (const auto& [name, entry] : entries_of(*joints)) {
      const JointId id = joint(entry, name, scenario);
      read_joint_sensor(entry, dimensions_of(scenario, id), settings.joint_sensors[id]);
    }
  }
  not_below_zero(keys, "joint_latency", kTime, settings.joint_latency);
  if (const auto base = keys.find("base")) {
    const Keys b(*base,
                 {"position", "orientation", "linear_velocity", "angular_velocity", "latency"});
    read_error(b, "position", kLength, settings.base.position);
    read_error(b, "orientation", kAngle, settings.base.orientation);
    read_error(b, "linear_velocity", kSpeed, settings.base.linear_velocity);
    read_error(b, "angular_velocity", kAngularRate, settings.base.angular_velocity);
    not_below_zero(b, "latency", kTime, settings.base.latency);
  }
  if (const auto imus = keys.find("imus")) {
    for (const Setting& entry : imus->list(kMaxImus)) {
      const Keys i(entry, {"name", "link", "orientation", "angular_velocity", "linear_acceleration",
                           "latency"});
      ImuSettings imu;
      imu.name = read_name(i, "imu");
      imu.frame = link(i.require("link", "link: torso"), scenario);
      read_error(i, "orientation", kAngle, imu.orientation);
      read_error(i, "angular_velocity", kAngularRate, imu.angular_velocity);
      read_error(i, "linear_acceleration", kAcceleration, imu.linear_acceleration);
      not_below_zero(i, "latency", kTime, imu.latency);
      settings.imus.push_back(imu);
    }
  }
  if (const auto force_torques = keys.find("force_torques")) {
    for (const Setting& entry : force_torques->list(kMaxForceTorques)) {
      const Keys f(entry, {"name", "joint", "force", "torque", "latency"});
      ForceTorqueSettings sensor;
      sensor.name = read_name(f, "left_ankle");
      const Setting name = f.require("joint", "joint: left_ankle");
      sensor.joint = joint(name, name.text(), scenario);
      read_error(f, "force", kForce, sensor.force);
      read_error(f, "torque", kTorque, sensor.torque);
      not_below_zero(f, "latency", kTime, sensor.latency);
      settings.force_torques.push_back(sensor);
    }
  }
  if (const auto feet = keys.find("feet")) {
    for (const Setting& entry : feet->list(kMaxFeet)) {
      const Keys f(entry, {"link", "on_time", "off_time", "force", "torque", "latency"});
      const int index = foot(f.require("link", "link: left_foot"), scenario);
      FootSensor& sensor = settings.feet[static_cast<std::size_t>(index)];
      not_below_zero(f, "on_time", kTime, sensor.on_time);
      not_below_zero(f, "off_time", kTime, sensor.off_time);
      read_error(f, "force", kForce, sensor.force);
      read_error(f, "torque", kTorque, sensor.torque);
      not_below_zero(f, "latency", kTime, sensor.latency);
    }
  }
}

}  // namespace

void read_pushes(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("pushes");
  if (!setting) return;
  for (const Setting& entry : setting->list(kMaxWrenches)) {
    const Keys push(entry, {"link", "point", "force", "torque", "start", "duration", "ramp"});
    Wrench wrench;
    wrench.frame = link(push.require("link", "link: torso"), scenario);
    if (const auto point = push.find("point")) wrench.point_F = point->vector(kLength);
    if (!push.has("force") && !push.has("torque"))
      entry.refuse(ErrorCode::kStructure,
                   "lacks the key 'force' (or 'torque'); add force: [20 N, 0, 0]");
    if (const auto force = push.find("force")) wrench.force_W = force->vector(kForce);
    if (const auto torque = push.find("torque")) wrench.torque_W = torque->vector(kTorque);
    not_below_zero(push, "start", kTime, wrench.start);
    wrench.duration = push.require("duration", "duration: 0.1 s").positive(kTime);
    not_below_zero(push, "ramp", kTime, wrench.ramp);
    if (2 * wrench.ramp > wrench.duration) {
      push.find("ramp")->refuse(ErrorCode::kValue,
                                "is longer than half the duration; up and down must fit into it");
    }
    scenario.plant.wrenches.push_back(wrench);
  }
}

void read_plant(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("plant");
  if (!setting) return;
  PlantSettings& settings = scenario.plant;
  const Keys plant(*setting,
                   {"seed", "theta", "file_friction", "foot_forces", "actuators", "sensors"});
  if (const auto seed = plant.find("seed")) {
    const double number = seed->quantity(kPureNumber);
    if (number < 0 || number > 0x1p53 || number != std::floor(number))
      seed->refuse(ErrorCode::kValue, "must be a whole number, zero or above");
    settings.seed = static_cast<std::uint64_t>(number);
  }
  if (const auto theta = plant.find("theta")) {
    settings.theta = theta->quantity(kPureNumber);
    if (settings.theta < 0.5 || settings.theta > 1)
      theta->refuse(ErrorCode::kValue, "must be from 0.5 to 1");
  }
  yes_or_no(plant, "file_friction", settings.file_friction);
  yes_or_no(plant, "foot_forces", settings.foot_forces);
  if (const auto actuators = plant.find("actuators")) {
    for (const auto& [name, entry] : entries_of(*actuators)) {
      const JointId id = joint(entry, name, scenario);
      read_actuator(entry, dimensions_of(scenario, id), settings.actuators[id]);
    }
  }
  read_sensors(plant, scenario);
  if (const auto made = Plant::make(model_of(scenario), scenario.settings, settings); !made) {
    setting->refuse(made.error().code, fmt::format("cannot be used: {}", made.error().text()));
  }
}

}  // namespace stance
