// A scenario from its file, section by section in the order of config/README.md.
#include "stance_model/load_scenario.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "apply_parameters.hpp"
#include "read_feet.hpp"
#include "read_loops.hpp"
#include "read_plant.hpp"
#include "refusal.hpp"
#include "robot_names.hpp"
#include "scenario_file.hpp"
#include "setting.hpp"

namespace stance {
namespace {

// A foot that is said to strike may be this far from the ground: published states have four digits.
constexpr double kStrikeTolerance = 0.01;  // m
// Feet that a robot is set down on may be this far apart, and others this far below the ground.
constexpr double kStandTolerance = 1e-6, kPenetration = 1e-6;  // m
// A joint may start this far beyond its limit: rounding of a unit.
constexpr double kLimitTolerance = 1e-9;

// ---- sections

// A file, or a map that says how to load it. What the caller asks for comes on top.
Setting robot_file_of(const Setting& robot, LoadOptions& options) {
  if (!robot.is_map()) return robot;
  const Keys keys(robot, {"file", "lenient", "min_armature", "xacro"});
  const auto read = [&](const char* key, bool& to) {
    if (const auto setting = keys.find(key)) to = setting->word({"yes", "no"}) == 0 || to;
  };
  read("lenient", options.lenient);
  read("xacro", options.xacro);
  if (const auto least = keys.find("min_armature"); least && options.min_armature == 0)
    options.min_armature = least->positive(kMomentOfInertia);
  return keys.require("file", "file: ../urdf/compass.urdf");
}

// What a scenario changes of its robot; apply_parameters.hpp puts it in.
void read_set(const Keys& keys) {
  const auto setting = keys.find("set");
  if (!setting) return;
  for (const auto& [name, value] : entries_of(*setting)) {
    (void)value.text();
    if (!name.starts_with("robot."))
      value.refuse(ErrorCode::kStructure,
                   "is no number of the robot; change what the scenario says itself instead");
  }
}

// From the text, if there is one, else from the file that the scenario names.
void read_robot(const Keys& keys, std::optional<std::string_view> xml, LoadOptions options,
                Scenario& scenario) {
  const Setting setting = robot_file_of(keys.require("robot", "robot: ../urdf/compass.urdf"),
                                        options);
  if (const auto gravity = keys.find("gravity")) {
    if (gravity->is_list()) {
      options.gravity = gravity->vector(kAcceleration);
    } else {
      const double g = gravity->quantity(kAcceleration);
      if (g < 0) {
        gravity->refuse(
            ErrorCode::kValue,
            "is below zero; a single number counts downwards, and another direction is [x, y, z]");
      }
      options.gravity = {0, 0, -g};
    }
  }
  scenario.robot_file = scenario.file.parent_path() / setting.text();
  auto robot = xml ? make_robot(*xml, options)
                   : load_robot(scenario.robot_file.lexically_normal(), options);
  if (!robot && xml) throw Refusal{robot.error()};
  if (!robot) {
    setting.refuse(robot.error().code, fmt::format("cannot be used: {}", robot.error().text()));
  }
  scenario.robot = *std::move(robot);
}

void read_ground(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("ground");
  if (!setting) return;
  const Keys ground(*setting, {"slope"});
  const auto slope = ground.find("slope");
  if (!slope) return;
  const double angle = slope->quantity(kAngle);
  if (std::abs(angle) >= std::numbers::pi / 2) {
    slope->refuse(ErrorCode::kValue,
                  fmt::format("is {:g} deg, which is a wall; it must be less than 90 deg (and a "
                              "bare number is in radians)",
                              angle * 180 / std::numbers::pi));
  }
  scenario.settings.ground = sloped_ground(angle);
}

void read_loops(const Keys& keys, Scenario& scenario) {
  const auto list = keys.find("loops");
  if (const auto assemble = keys.find("assemble")) {
    if (!list)
      assemble->refuse(ErrorCode::kStructure, "is how loops are closed, and there are none");
    scenario.assemble = assemble->word({"as_given", "nearest"}) == 0 ? Assemble::kAsGiven
                                                                     : Assemble::kNearest;
  }
  if (!list) return;
  scenario.loops = read_loops(*list, model_of(scenario));
  SimulatorSettings& settings = scenario.settings;
  for (const Loop& loop : scenario.loops)
    settings.loops[static_cast<std::size_t>(settings.loop_count++)] = loop.closure;
}

void read_stops(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("stops");
  if (!setting) return;
  SimulatorSettings& settings = scenario.settings;
  for (const Setting& entry : setting->list(kMaxStops)) {
    const Keys stop_keys(entry, {"joint", "at", "release"});
    Stop& stop = settings.stops[static_cast<std::size_t>(settings.stop_count)];
    const Setting name = stop_keys.require("joint", "joint: left_knee");
    stop.joint = joint(name, name.text(), scenario);
    const Setting at = stop_keys.require("at", "at: lower");
    stop.at_lower = at.word({"lower", "upper"}) == 0;
    const Limits& limits = model_of(scenario).joints[stop.joint].limits;
    if (!std::isfinite(stop.at_lower ? limits.lower : limits.upper)) {
      at.refuse(ErrorCode::kLimits,
                fmt::format("is '{0}', and the joint '{1}' has no {0} limit; add it in the robot",
                            at.text(), name.text()));
    }
    for (int i = 0; i < settings.stop_count; ++i) {
      const Stop& other = settings.stops[static_cast<std::size_t>(i)];
      if (other.joint == stop.joint && other.at_lower == stop.at_lower) {
        name.refuse(ErrorCode::kStructure, fmt::format("stops '{}' at its {} limit, and so does "
                                                       "stops[{}]; keep one",
                                                       name.text(), at.text(), i));
      }
    }
    if (const auto release = stop_keys.find("release"))
      stop.release_foot = foot(*release, scenario);
    ++settings.stop_count;
  }
}

void read_fall(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("fall");
  if (!setting) return;
  SimulatorSettings& settings = scenario.settings;
  for (const Setting& entry : setting->list(kMaxFallFrames)) {
    const FrameId frame = link(entry, scenario);
    for (int i = 0; i < settings.fall_count; ++i) {
      if (settings.fall_frames[static_cast<std::size_t>(i)] == frame) {
        entry.refuse(ErrorCode::kStructure,
                     fmt::format("is '{}', which is fall[{}] already; keep one", entry.text(), i));
      }
    }
    for (int i = 0; i < settings.foot_count; ++i) {
      if (settings.feet[static_cast<std::size_t>(i)].frame == frame) {
        entry.refuse(ErrorCode::kStructure,
                     fmt::format("is '{}', which is a foot and must touch the ground; remove it",
                                 entry.text()));
      }
    }
    settings.fall_frames[static_cast<std::size_t>(settings.fall_count++)] = frame;
  }
}

void read_push_off(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("push_off");
  if (!setting) return;
  const Keys push(*setting, {"impulse", "towards"});
  const Setting impulse = push.require("impulse", "impulse: 0.2 N*s");
  const Setting towards = push.require("towards", "towards: hip");
  PushOff& push_off = scenario.settings.push_off;
  push_off.impulse = impulse.quantity(kImpulse);
  if (push_off.impulse < 0) impulse.refuse(ErrorCode::kValue, "is below zero; a foot cannot pull");
  push_off.towards = link(towards, scenario);
  const Model& model = model_of(scenario);
  for (int i = 0; i < scenario.settings.foot_count; ++i) {
    const Frame& f = model.frames[scenario.settings.feet[static_cast<std::size_t>(i)].frame];
    const Frame& target = model.frames[push_off.towards];
    if (f.body == target.body && f.X_HF.p == target.X_HF.p) {
      towards.refuse(ErrorCode::kStructure,
                     fmt::format("is '{}', which is where the foot '{}' is; name another link",
                                 towards.text(), f.name.view()));
    }
  }
}

// ---- the initial state

void read_joint_start(const std::string& name, const Setting& setting, const Scenario& scenario,
                      InitialState& initial) {
  JointStart start;
  start.joint = joint(setting, name, scenario);
  const Joint& j = model_of(scenario).joints[start.joint];
  const bool slides = j.kind == JointKind::kPrismatic;
  std::optional<Setting> position = setting;
  if (!setting.is_scalar()) {
    const Keys keys(setting, {"position", "velocity"});
    position = keys.find("position");
    if (const auto velocity = keys.find("velocity"))
      start.velocity = velocity->quantity(slides ? kSpeed : kAngularRate);
  }
  if (position) start.position = position->quantity(slides ? kLength : kAngle);
  if (start.position < j.limits.lower - kLimitTolerance ||
      start.position > j.limits.upper + kLimitTolerance) {
    position.value_or(setting).refuse(
        ErrorCode::kLimits,
        fmt::format("puts the joint '{}' at {:g}, outside its limits of {:g} to {:g}", name,
                    start.position, j.limits.lower, j.limits.upper));
  }
  initial.joints.push_back(start);
}

void read_locked(const Setting& setting, const Scenario& scenario, InitialState& initial) {
  for (const Setting& entry : setting.list(kMaxBodies)) {
    const JointId id = joint(entry, entry.text(), scenario);
    if (std::find(initial.locked.begin(), initial.locked.end(), id) != initial.locked.end())
      entry.refuse(ErrorCode::kStructure, fmt::format("names '{}' twice", entry.text()));
    for (const JointStart& start : initial.joints) {
      if (start.joint == id && start.velocity != 0) {
        entry.refuse(ErrorCode::kValue,
                     fmt::format("locks '{}', which is given a velocity; remove one of the two",
                                 entry.text()));
      }
    }
    initial.locked.push_back(id);
  }
}

void refuse_keys(const Keys& keys, const std::vector<std::string>& unfit, std::string_view why) {
  for (const std::string& key : unfit) {
    if (const auto setting = keys.find(key))
      setting->refuse(ErrorCode::kStructure, fmt::format("means nothing {}; remove it", why));
  }
}

void read_standing(const Keys& keys, const Setting& support, const Scenario& scenario,
                   InitialState& initial) {
  initial.foot = foot(support, scenario);
  const JointKind kind = scenario.settings.feet[static_cast<std::size_t>(initial.foot)].support;
  refuse_keys(keys, {"position", "velocity"}, "for a robot that stands on a foot");
  if (kind == JointKind::kRevolute || kind == JointKind::kRoll) {
    refuse_keys(keys, {"orientation", "angular_velocity"},
                "for a support with one angle (give angle and rate)");
    if (const auto angle = keys.find("angle")) initial.angle = angle->quantity(kAngle);
    if (const auto rate = keys.find("rate")) initial.rate = rate->quantity(kAngularRate);
    return;
  }
  refuse_keys(keys, {"angle", "rate"},
              kind == JointKind::kBall
                  ? "for a ball support (give orientation and angular_velocity)"
                  : "for a foot that is welded to the ground");
  if (kind == JointKind::kFixed) {
    refuse_keys(keys, {"orientation", "angular_velocity"},
                "for a foot that is welded to the ground");
  }
  if (const auto turn = keys.find("orientation")) initial.orientation = turn->vector(kAngle);
  if (const auto rate = keys.find("angular_velocity"))
    initial.angular_velocity = rate->vector(kAngularRate);
}

// A robot of pins and rolls moves in a plane.
bool is_planar(const SimulatorSettings& settings) {
  return std::all_of(
      settings.feet.begin(), settings.feet.begin() + settings.foot_count, [](const Foot& foot) {
        return foot.support == JointKind::kRevolute || foot.support == JointKind::kRoll;
      });
}

void read_flight(const Keys& keys, const std::optional<Setting>& flight, const Scenario& scenario,
                 InitialState& initial) {
  const bool planar = flight ? flight->word({"free", "planar"}) == 1 : is_planar(scenario.settings);
  initial.flight = planar ? JointKind::kPlanar : JointKind::kFree;
  refuse_keys(keys, {"angle", "rate", "strike"},
              flight ? "in flight" : "for a robot that is set down on its feet");
  // what a robot in the plane y = 0 cannot do
  const auto read = [&](const char* key, const Dimension& dimension, bool turns, Vec3<double>& to) {
    const auto setting = keys.find(key);
    if (!setting) return;
    to = setting->vector(dimension);
    if (planar && (turns ? to.x != 0 || to.z != 0 : to.y != 0)) {
      setting->refuse(ErrorCode::kValue,
                      fmt::format("leaves the plane of planar flight; {} must be zero",
                                  turns ? "its first and third value" : "its second value"));
    }
  };
  read("position", kLength, false, initial.position);
  read("orientation", kAngle, true, initial.orientation);
  read("velocity", kSpeed, false, initial.velocity);
  read("angular_velocity", kAngularRate, true, initial.angular_velocity);
  if (flight && !planar && !(model_of(scenario).bodies[0].I.m > 0)) {
    flight->refuse(ErrorCode::kInertia, "is 'free', and the root link has no mass to float with");
  }
}

// The feet it is set down on: a list, or all.
void read_stand(const Setting& stand, const Scenario& scenario, InitialState& initial) {
  if (stand.is_scalar()) {
    (void)stand.word({"all"});
    for (int i = 0; i < scenario.settings.foot_count; ++i) initial.stand.push_back(i);
    return;
  }
  const auto feet = stand.list(kMaxFeet);
  if (feet.empty())
    stand.refuse(ErrorCode::kStructure, "is an empty list; name the feet, or say 'all'");
  for (const Setting& entry : feet) {
    const int index = foot(entry, scenario);
    if (std::find(initial.stand.begin(), initial.stand.end(), index) != initial.stand.end())
      entry.refuse(ErrorCode::kStructure, fmt::format("names '{}' twice", entry.text()));
    initial.stand.push_back(index);
  }
}

// Each foot of `stand` touches, and none is below the ground.
void check_feet(const Setting& setting, const std::optional<Setting>& stand,
                const Simulator& simulator, const InitialState& initial, int strikes) {
  for (int i = 0; i < simulator.settings().foot_count; ++i) {
    if (i == initial.foot || i == strikes) continue;
    const auto& name =
        simulator.model().frames[simulator.settings().feet[static_cast<std::size_t>(i)].frame].name;
    const double height = simulator.foot_height(i);
    const bool stands = std::find(initial.stand.begin(), initial.stand.end(), i) !=
                        initial.stand.end();
    if (stands && height > kStandTolerance) {
      stand->refuse(ErrorCode::kValue,
                    fmt::format("has '{}', which is {:.3g} m above the ground where the others "
                                "touch; bend its leg, or turn the robot with 'orientation'",
                                name.view(), height));
    }
    const bool scuffs = simulator.settings().feet[static_cast<std::size_t>(i)].ignore_scuff;
    if (height < -kPenetration && !scuffs) {
      setting.refuse(ErrorCode::kValue,
                     fmt::format("has '{}' {:.3g} m below the ground, and no motion leads there; "
                                 "start it higher",
                                 name.view(), -height));
    }
  }
}

// Joints as they close the loops: as they are, or nearest to it.
void close(const Setting& setting, const Scenario& scenario, Simulator& simulator,
           InitialState& initial) {
  const Model& model = model_of(scenario);
  const auto closed = close_loops(model, simulator.tree(), scenario.loops, simulator.state(),
                                  scenario.assemble);
  if (!closed) setting.refuse(closed.error().code, closed.error().text());
  initial.joints.clear();
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    if (dof_count(joint.kind) == 1)
      initial.joints.push_back({JointId(i), closed->q[joint.q_index], closed->v[joint.v_index]});
  }
  (void)start(initial, simulator);
  // the base stays where it was said to be: a loop to the world may be open still
  const auto again = close_loops(model, simulator.tree(), scenario.loops, simulator.state(),
                                 Assemble::kAsGiven);
  if (!again) setting.refuse(again.error().code, again.error().text());
}

// A state of the robot: the initial one, or a keyframe, which strikes nothing.
InitialState read_state(const Setting& setting, const Scenario& scenario, bool may_strike) {
  InitialState initial;
  const Keys keys(setting,
                  {"support", "flight", "stand", "angle", "rate", "position", "orientation",
                   "velocity", "angular_velocity", "joints", "locked", "strike"});
  const auto support = keys.find("support"), flight = keys.find("flight"),
             stand = keys.find("stand");
  if (support && flight)
    flight->refuse(ErrorCode::kStructure, "stands beside 'support'; a robot stands or flies");
  if (support && stand) {
    stand->refuse(ErrorCode::kStructure,
                  "stands beside 'support'; 'support' is for one foot, 'stand' for several");
  }
  if (!support && !flight && !stand) {
    setting.refuse(ErrorCode::kStructure,
                   "lacks the key 'support' (or 'stand', or 'flight'); add support: left_foot");
  }
  if (support) {
    read_standing(keys, *support, scenario, initial);
  } else {
    read_flight(keys, flight, scenario, initial);
    if (stand) read_stand(*stand, scenario, initial);
  }
  if (const auto joints = keys.find("joints")) {
    for (const auto& [name, entry] : entries_of(*joints))
      read_joint_start(name, entry, scenario, initial);
  }
  if (const auto locked = keys.find("locked")) read_locked(*locked, scenario, initial);
  if (!may_strike) refuse_keys(keys, {"strike"}, "in a keyframe");
  const auto strike = keys.find("strike");
  if (strike) {
    initial.strike = foot(*strike, scenario);
    if (initial.strike == initial.foot)
      strike->refuse(ErrorCode::kStructure, "is the foot the robot stands on; name the other one");
  }

  // the state as a whole
  const auto simulator = std::make_unique<Simulator>(model_of(scenario), scenario.settings);
  const int strikes = std::exchange(initial.strike, -1);
  (void)start(initial, *simulator);  // without a strike nothing can fail
  if (!scenario.loops.empty()) close(setting, scenario, *simulator, initial);
  initial.strike = strikes;
  check_feet(setting, stand, *simulator, initial, strikes);
  for (int i = 0; i < scenario.settings.fall_count; ++i) {
    const Frame& frame =
        model_of(scenario).frames[scenario.settings.fall_frames[static_cast<std::size_t>(i)]];
    const auto motion = body_motion(model_of(scenario), simulator->tree(), simulator->state(),
                                    frame.body);
    if (scenario.settings.ground.height(motion.X_WH * frame.X_HF.p) <= 0) {
      setting.refuse(ErrorCode::kValue,
                     fmt::format("has '{}' on or below the ground: the robot has fallen before it "
                                 "starts",
                                 frame.name.view()));
    }
  }
  if (strike && std::abs(simulator->foot_height(strikes)) > kStrikeTolerance) {
    strike->refuse(
        ErrorCode::kValue,
        fmt::format("is '{}', which is {:.3g} m {} the ground in this state, so it does not strike",
                    strike->text(), std::abs(simulator->foot_height(strikes)),
                    simulator->foot_height(strikes) > 0 ? "above" : "below"));
  }
  return initial;
}

Keyframe keyframe(const std::string& name, const InitialState& state, const Scenario& scenario) {
  const auto simulator = std::make_unique<Simulator>(model_of(scenario), scenario.settings);
  (void)start(state, *simulator);  // a strike that fails is told by whoever starts with it
  return {name, simulator->save()};
}

void read_initial(const Keys& keys, Scenario& scenario) {
  const Setting setting = keys.require("initial", "initial: {support: left_foot, angle: 0.1 rad}");
  scenario.initial = read_state(setting, scenario, true);
  scenario.plant.keyframes.push_back(keyframe("initial", scenario.initial, scenario));
}

void read_keyframes(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("keyframes");
  if (!setting) return;
  for (const auto& [name, entry] : entries_of(*setting)) {
    if (name == "initial")
      entry.refuse(ErrorCode::kStructure, "has the name of the initial state; take another");
    if (scenario.plant.keyframes.size() == kMaxKeyframes) {
      setting->refuse(
          ErrorCode::kCapacity,
          fmt::format("has more than {} states, which is what this build of stance holds",
                      kMaxKeyframes - 1));
    }
    scenario.plant.keyframes.push_back(
        keyframe(name, read_state(entry, scenario, false), scenario));
  }
}

// ---- time and report

void read_integrator(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("integrator");
  if (!setting) return;
  const Keys integrator(*setting, {"method", "step", "tolerance"});
  IntegratorSettings& settings = scenario.settings.integrator;
  if (const auto method = integrator.find("method")) {
    constexpr Method kMethods[] = {Method::kRungeKutta4, Method::kSemiImplicitEuler,
                                   Method::kDormandPrince};
    settings.method = kMethods[method->word({"rk4", "euler", "dormand_prince"})];
  }
  if (const auto step = integrator.find("step")) scenario.settings.step = step->positive(kTime);
  if (const auto tolerance = integrator.find("tolerance")) {
    if (settings.method != Method::kDormandPrince)
      tolerance->refuse(ErrorCode::kStructure, "is for the method dormand_prince alone; remove it");
    settings.tolerance = tolerance->positive(kPureNumber);
  }
}

void read_duration(const Keys& keys, Scenario& scenario) {
  const Setting setting = keys.require("duration", "duration: 30 s");
  scenario.duration = setting.positive(kTime);
  if (scenario.duration < scenario.settings.step) {
    setting.refuse(ErrorCode::kValue,
                   fmt::format("is shorter than the step of {:g} s", scenario.settings.step));
  }
}

void read_report(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("report");
  if (!setting) return;
  const Keys report(*setting, {"sample", "files"});
  if (const auto sample = report.find("sample")) scenario.sample_period = sample->positive(kTime);
  if (const auto files = report.find("files")) {
    const std::vector<std::string> known(kReportFiles.begin(), kReportFiles.end());
    scenario.report.clear();
    if (files->list(100).empty())
      files->refuse(ErrorCode::kStructure, "is an empty list; name a file, or run without --out");
    for (const Setting& file : files->list(100)) {
      scenario.report.insert(known[static_cast<std::size_t>(file.word(known))]);
    }
  }
}

void read_law(const Keys& keys, Scenario& scenario) {
  const auto setting = keys.find("law");
  if (!setting) return;
  const Keys law(*setting, {});
  LawSettings& settings = scenario.law;
  const Setting name = law.require("name", "name: stand");
  settings.name = name.text(), settings.where = name.where();
  for (const auto& [key, entry] : law.all()) {
    if (key == "name") continue;
    if (key == "rate") {
      settings.period = 1 / entry.positive(kFrequency);
      continue;
    }
    settings.entries.push_back({key, entry.text(), entry.where()});
  }
  const double steps = settings.period / scenario.settings.step;
  if (std::round(steps) < 1 || std::abs(steps - std::round(steps)) > 1e-6 * steps) {
    law.find("rate").value_or(*setting).refuse(
        ErrorCode::kValue,
        fmt::format("makes a cycle of {:g} s, which is {:g} steps of {:g} s; it must be a whole "
                    "number of them",
                    settings.period, steps, scenario.settings.step));
  }
}

Result<std::unique_ptr<Scenario>> load(const std::filesystem::path& path,
                                       std::optional<std::string_view> robot_xml,
                                       const LoadOptions& robot_options) {
  try {
    auto scenario = std::make_unique<Scenario>();
    scenario->file = path;
    const std::string file = path.string();
    YAML::Node document = read_scenario_file(path);
    LoadOptions changed = robot_options;
    changed.set = with_those_of_file(document, robot_options.set);
    apply_to_file(changed.set, document);
    const Setting root(document, "", file);
    const Keys keys(
        root, {"title",    "robot",     "gravity", "ground",   "contact", "feet",       "loops",
               "assemble", "stops",     "fall",    "push_off", "initial", "integrator", "duration",
               "report",   "keyframes", "pushes",  "plant",    "law",     "set"});
    const auto title = keys.find("title");
    scenario->title = title ? title->text() : path.stem().string();
    read_set(keys);
    read_robot(keys, robot_xml, changed, *scenario);
    read_ground(keys, *scenario);
    read_feet(keys, robot_xml, *scenario);
    read_loops(keys, *scenario);
    read_stops(keys, *scenario);
    read_fall(keys, *scenario);
    read_push_off(keys, *scenario);
    read_integrator(keys, *scenario);
    read_initial(keys, *scenario);
    read_duration(keys, *scenario);
    read_report(keys, *scenario);
    read_keyframes(keys, *scenario);
    read_pushes(keys, *scenario);
    read_plant(keys, *scenario);
    read_law(keys, *scenario);
    return scenario;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  } catch (const YAML::Exception& error) {  // of a kind that none of the readers expects
    return Error{ErrorCode::kSyntax,
                 fmt::format("{}:{}:{}", path.string(), error.mark.line + 1, error.mark.column + 1),
                 error.msg};
  }
}

}  // namespace

Result<std::unique_ptr<Scenario>> load_scenario(const std::filesystem::path& path,
                                                const LoadOptions& robot_options) {
  return load(path, {}, robot_options);
}

Result<std::unique_ptr<Scenario>> load_scenario(const std::filesystem::path& path,
                                                std::string_view robot_xml,
                                                const LoadOptions& robot_options) {
  return load(path, robot_xml, robot_options);
}

}  // namespace stance
