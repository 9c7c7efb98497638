#include "stance_gait/make_law.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "law_reader.hpp"
#include "stance_gait/compass_law.hpp"
#include "stance_gait/stand_law.hpp"
#include "stance_gait/trot_law.hpp"

namespace stance {
namespace {

constexpr Dimension kEnergy = kTorque;
using Made = Result<std::unique_ptr<Law>>;

// ---- compass: the pure law of compass_law.hpp, fed from the plant
class CompassInLoop final : public Law {
 public:
  CompassInLoop(const CompassGait& gait, JointId hip, int left, int right)
      : law_(gait), hip_(hip), left_(left), right_(right) {}

  void reset(Plant& plant) noexcept override {
    law_.reset();
    (void)plant.switch_commands(hip_, kEffortCommand);
  }

  void update(Plant& plant) noexcept override {
    const Quaternion& r = plant.base().orientation;
    const CompassCommand command = law_.update(
        {planar_pitch(r.y, r.w), plant.base().angular_velocity.y, plant.joint(hip_).position,
         plant.joint(hip_).velocity, plant.foot(left_).support != 0,
         plant.foot(right_).support != 0});
    (void)plant.write(hip_, {.effort = command.hip_effort});
    (void)plant.write_push_off(command.push_off);
  }

 private:
  CompassLaw law_;
  JointId hip_;
  int left_, right_;
};

// Also the names of the parts that the law is for.
struct CompassParts {
  std::string hip = "right_hip", left = "left_foot", right = "right_foot";
};

Result<CompassGait> read_compass(LawReader& read, CompassParts& parts) {
  CompassGait gait;
  read.read("joint", parts.hip), read.read("left_foot", parts.left);
  read.read("right_foot", parts.right);
  read.read("hip_mass", kMass, gait.body.hip_mass);
  read.read("leg_mass", kMass, gait.body.leg_mass);
  read.read("leg_length", kLength, gait.body.leg_length);
  read.read("mass_below", kLength, gait.body.mass_below);
  read.read("gravity", kAcceleration, gait.body.gravity);
  read.read("surplus", kEnergy, gait.surplus);
  read.read("energy_gain", {0, 0, 1, -2}, gait.energy_gain);
  read.read("step_angle", kAngle, gait.step_angle);
  read.read("placement_kp", kStiffness, gait.placement_kp);
  read.read("placement_kd", kDampingRate, gait.placement_kd);
  read.read("effort_limit", kTorque, gait.effort_limit);
  read.read("push_off", kImpulse, gait.push_off);
  read.read("push_off_gain", {-1, 0, 1, 0}, gait.push_off_gain);
  read.read("push_off_limit", kImpulse, gait.push_off_limit);
  if (const Error* error = read.trouble()) return *error;
  if (const auto error = complaint(gait)) return read.complain(error->element, error->message);
  return gait;
}

Made make_compass(const LawSettings& settings, const Plant& plant) {
  LawReader read(settings);
  CompassParts parts;
  const auto settled = read_compass(read, parts);
  if (!settled) return settled.error();
  const CompassGait& gait = *settled;
  const auto& [hip, left, right] = parts;
  const auto joint = plant.find_driven_joint(hip);
  if (!joint) return read.complain("joint", "cannot be used: " + joint.error().text());
  const int left_foot = plant.find_foot(left), right_foot = plant.find_foot(right);
  for (const auto& [key, name, foot] :
       {std::tuple{"left_foot", left, left_foot}, std::tuple{"right_foot", right, right_foot}}) {
    if (foot < 0)
      return read.complain(key, "is '" + name + "', which is not among the scenario's feet");
  }
  if (!plant.can_push_off())
    return read.complain("",
                         "'compass' pushes off: give the scenario push_off: {impulse: 0 N*s, "
                         "towards: hip}");
  return std::unique_ptr<Law>(std::make_unique<CompassInLoop>(gait, *joint, left_foot, right_foot));
}

// What a law of the body's height and heading needs: a robot that stands, and numbers that make sense.
std::optional<Error> check_body(const LawReader& read, const Plant& plant,
                                std::initializer_list<std::pair<const char*, double>> positive) {
  for (const auto& [key, value] : positive) {
    if (!(value > 0)) return read.complain(key, "must be above zero");
  }
  if (!(norm(plant.model().gravity) > 0))
    return read.complain("", "needs gravity, and the scenario has none");
  return std::nullopt;
}

Made make_stand(const LawSettings& settings, const Plant& plant) {
  LawReader read(settings);
  StandSettings stand;
  stand.period = settings.period;
  read.read("bandwidth", kAngularRate, stand.bandwidth);
  read.read("posture", kAngularRate, stand.posture);
  read.read("mu", kPureNumber, stand.mu);
  read.read("shift_x", kLength, stand.shift.x);
  read.read("shift_y", kLength, stand.shift.y);
  read.read("shift_z", kLength, stand.shift.z);
  read.read("shift_period", kTime, stand.shift_period);
  read.read("rise", kTime, stand.rise);
  if (const Error* error = read.trouble()) return *error;
  if (auto error = check_body(read, plant,
                              {{"bandwidth", stand.bandwidth},
                               {"posture", stand.posture},
                               {"mu", stand.mu},
                               {"rise", stand.rise}}))
    return *error;
  if (stand.shift_period < 0) return read.complain("shift_period", "is below zero");
  return std::unique_ptr<Law>(std::make_unique<StandLaw>(stand, plant));
}

Made make_trot(const LawSettings& settings, const Plant& plant) {
  LawReader read(settings);
  TrotSettings trot;
  trot.period = settings.period;
  read.read("speed", kSpeed, trot.speed);
  read.read("sideways", kSpeed, trot.sideways);
  read.read("turn", kAngularRate, trot.turn);
  read.read("swing", kTime, trot.swing);
  read.read("clearance", kLength, trot.clearance);
  read.read("wait", kTime, trot.wait);
  read.read("run_up", kTime, trot.run_up);
  read.read("bandwidth", kAngularRate, trot.bandwidth);
  read.read("catch", kPureNumber, trot.catch_gain);
  read.read("leg", kAngularRate, trot.leg);
  read.read("mu", kPureNumber, trot.mu);
  if (const Error* error = read.trouble()) return *error;
  if (auto error = check_body(read, plant,
                              {{"swing", trot.swing},
                               {"clearance", trot.clearance},
                               {"run_up", trot.run_up},
                               {"bandwidth", trot.bandwidth},
                               {"leg", trot.leg},
                               {"mu", trot.mu}}))
    return *error;
  const int feet = plant.simulator().settings().foot_count;
  if (feet != 4) {
    return read.complain("",
                         "'trot' is for four feet, and the scenario has " + std::to_string(feet));
  }
  return std::unique_ptr<Law>(std::make_unique<TrotLaw>(trot, plant));
}

struct LawKind {
  const char* name;
  Made (*make)(const LawSettings&, const Plant&);
};
constexpr LawKind kLaws[] = {{"compass", make_compass}, {"stand", make_stand}, {"trot", make_trot}};

}  // namespace

Result<CompassGait> compass_gait(const LawSettings& settings) {
  LawReader read(settings);
  CompassParts parts;
  return read_compass(read, parts);
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawKind& law : kLaws) names.emplace_back(law.name);
  return names;
}

Result<std::unique_ptr<Law>> make_law(const LawSettings& settings, const Plant& plant) {
  for (const LawKind& law : kLaws)
    if (settings.name == law.name) return law.make(settings, plant);
  std::string known;
  for (const std::string& name : law_names()) known += (known.empty() ? "" : ", ") + name;
  return Error{ErrorCode::kStructure, settings.where,
               "law.name is '" + settings.name + "'; there are " + known};
}

Result<ControlLoop> make_control_loop(const Scenario& scenario) {
  auto started = make_plant(scenario);
  if (!started) return started.error();
  std::unique_ptr<Law> law;
  if (!scenario.law.name.empty()) {
    auto made = make_law(scenario.law, *started->plant);
    if (!made) return made.error();
    law = *std::move(made);
  }
  const int sub_steps = static_cast<int>(std::lround(scenario.law.period / scenario.settings.step));
  return ControlLoop(std::move(started->plant), std::move(law), std::max(sub_steps, 1),
                     started->opening);
}

}  // namespace stance
