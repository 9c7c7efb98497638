// Publishes stance_msgs/ContactStates on ~/contact_states: every foot in every cycle, zeros in the air, one stamp.
//
//   sensors     names of the contact sensors, in the order of the message
//   interfaces  what they have: contact and any of contact_sensor.hpp's; all by default. What they have not stays zero in
//               the message
//   frame_id    of the header, world by default
#pragma once

#include <memory>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "realtime_tools/realtime_publisher.hpp"
#include "stance_controllers/contact_sensor.hpp"
#include "stance_msgs/msg/contact_states.hpp"

namespace stance_controllers {

class ContactStateBroadcaster : public controller_interface::ControllerInterface {
 public:
  using CallbackReturn = controller_interface::CallbackReturn;
  using Message = stance_msgs::msg::ContactStates;

  CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State& previous) override;
  controller_interface::return_type update(const rclcpp::Time& time,
                                           const rclcpp::Duration& period) override;

 private:
  std::vector<std::unique_ptr<semantic_components::ContactSensor>> sensors_;
  Message message_;
  std::unique_ptr<realtime_tools::RealtimePublisher<Message>> publisher_;
};

}  // namespace stance_controllers
