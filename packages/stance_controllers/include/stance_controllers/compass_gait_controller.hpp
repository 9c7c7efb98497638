// The gait law of the compass biped (stance_gait/compass_law.hpp) as a controller.
//
//   joint, base, left_foot, right_foot   names of the hip joint, of the sensor with orientation and angular velocity (an
//                                        IMU in the hip will do), and of the contact sensors
//   push_off                             the gpio with the command interface 'impulse'; empty: no push-off
//   gait.*                               the numbers of CompassGait and CompassBody, by their names
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "stance_gait/compass_law.hpp"

namespace stance_controllers {

class CompassGaitController : public controller_interface::ControllerInterface {
 public:
  using CallbackReturn = controller_interface::CallbackReturn;

  CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State& previous) override;
  controller_interface::return_type update(const rclcpp::Time& time,
                                           const rclcpp::Duration& period) override;

  const stance::CompassLaw& law() const { return law_; }

 private:
  std::string name_of(const char* parameter) const;

  std::vector<std::string> command_names_, state_names_;
  std::vector<std::reference_wrapper<hardware_interface::LoanedCommandInterface>> commands_;
  std::vector<std::reference_wrapper<hardware_interface::LoanedStateInterface>> states_;
  stance::CompassLaw law_;
};

}  // namespace stance_controllers
