#include "stance_controllers/compass_gait_controller.hpp"

#include <array>
#include <cmath>
#include <exception>
#include <limits>

#include "controller_interface/helpers.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace stance_controllers {

namespace {

// Commands and states, in the order of command_names_ and state_names_.
enum { kEffort, kPushOff };
enum {
  kPosition,
  kVelocity,
  kOrientationY,
  kOrientationW,
  kPitchRate,
  kLeftSupport,
  kRightSupport,
  kStateCount
};

struct Number {
  const char* name;
  double& value;
};

std::vector<Number> numbers(stance::CompassGait& gait) {
  stance::CompassBody& body = gait.body;
  return {{"gait.hip_mass", body.hip_mass},
          {"gait.leg_mass", body.leg_mass},
          {"gait.leg_length", body.leg_length},
          {"gait.mass_below", body.mass_below},
          {"gait.gravity", body.gravity},
          {"gait.surplus", gait.surplus},
          {"gait.energy_gain", gait.energy_gain},
          {"gait.step_angle", gait.step_angle},
          {"gait.placement_kp", gait.placement_kp},
          {"gait.placement_kd", gait.placement_kd},
          {"gait.effort_limit", gait.effort_limit},
          {"gait.push_off", gait.push_off},
          {"gait.push_off_gain", gait.push_off_gain},
          {"gait.push_off_limit", gait.push_off_limit}};
}

// NaN: not known.
template <class Interface>
double number(const Interface& interface) {
  if constexpr (requires { interface.get_optional(); }) {
    return interface.get_optional().value_or(std::numeric_limits<double>::quiet_NaN());
  } else {  // Humble
    return interface.get_value();
  }
}

}  // namespace

std::string CompassGaitController::name_of(const char* parameter) const {
  return get_node()->get_parameter(parameter).as_string();
}

CompassGaitController::CallbackReturn CompassGaitController::on_init() {
  try {
    auto_declare<std::string>("joint", "right_hip");
    auto_declare<std::string>("base", "base");
    auto_declare<std::string>("left_foot", "left_foot");
    auto_declare<std::string>("right_foot", "right_foot");
    auto_declare<std::string>("push_off", "push_off");
    stance::CompassGait gait;
    for (const Number& number : numbers(gait)) auto_declare<double>(number.name, number.value);
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_node()->get_logger(), "a parameter has the wrong type: %s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

CompassGaitController::CallbackReturn CompassGaitController::on_configure(
    const rclcpp_lifecycle::State& /*previous*/) {
  stance::CompassGait gait;
  for (const Number& number : numbers(gait))
    number.value = get_node()->get_parameter(number.name).as_double();
  if (const auto error = stance::complaint(gait)) {
    RCLCPP_ERROR(get_node()->get_logger(), "gait.%s", error->text().c_str());
    return CallbackReturn::ERROR;
  }
  law_ = stance::CompassLaw(gait);

  const std::string joint = name_of("joint"), base = name_of("base"),
                    push_off = name_of("push_off");
  state_names_ = {joint + "/position",
                  joint + "/velocity",
                  base + "/orientation.y",
                  base + "/orientation.w",
                  base + "/angular_velocity.y",
                  name_of("left_foot") + "/support",
                  name_of("right_foot") + "/support"};
  command_names_ = {joint + "/effort"};
  if (!push_off.empty()) command_names_.push_back(push_off + "/impulse");
  return CallbackReturn::SUCCESS;
}

controller_interface::InterfaceConfiguration CompassGaitController::
    command_interface_configuration() const {
  return {controller_interface::interface_configuration_type::INDIVIDUAL, command_names_};
}

controller_interface::InterfaceConfiguration CompassGaitController::state_interface_configuration()
    const {
  return {controller_interface::interface_configuration_type::INDIVIDUAL, state_names_};
}

CompassGaitController::CallbackReturn CompassGaitController::on_activate(
    const rclcpp_lifecycle::State& /*previous*/) {
  commands_.clear();
  states_.clear();
  const bool complete = controller_interface::get_ordered_interfaces(
                            command_interfaces_, command_names_, "", commands_) &&
                        controller_interface::get_ordered_interfaces(state_interfaces_,
                                                                     state_names_, "", states_);
  if (!complete) {
    RCLCPP_ERROR(get_node()->get_logger(), "the hardware did not lend all interfaces asked for");
    return CallbackReturn::ERROR;
  }
  law_.reset();
  return CallbackReturn::SUCCESS;
}

CompassGaitController::CallbackReturn CompassGaitController::on_deactivate(
    const rclcpp_lifecycle::State& /*previous*/) {
  (void)commands_[kEffort].get().set_value(0.0);
  commands_.clear();
  states_.clear();
  return CallbackReturn::SUCCESS;
}

// A cycle in which a reading is not known leaves the commands as they are.
controller_interface::return_type CompassGaitController::update(
    const rclcpp::Time& /*time*/, const rclcpp::Duration& /*period*/) {
  std::array<double, kStateCount> s;
  double zero = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    s[k] = number(states_[k].get());
    zero += 0 * s[k];
  }
  if (std::isnan(zero)) return controller_interface::return_type::OK;  // a NaN

  const stance::CompassCommand command = law_.update(
      {stance::planar_pitch(s[kOrientationY], s[kOrientationW]), s[kPitchRate], s[kPosition],
       s[kVelocity], s[kLeftSupport] != 0, s[kRightSupport] != 0});
  (void)commands_[kEffort].get().set_value(command.hip_effort);
  if (commands_.size() > kPushOff) (void)commands_[kPushOff].get().set_value(command.push_off);
  return controller_interface::return_type::OK;
}

}  // namespace stance_controllers

PLUGINLIB_EXPORT_CLASS(stance_controllers::CompassGaitController,
                       controller_interface::ControllerInterface)
