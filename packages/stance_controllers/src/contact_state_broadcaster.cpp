#include "stance_controllers/contact_state_broadcaster.hpp"

#include <array>
#include <cmath>
#include <exception>
#include <string>

#include "pluginlib/class_list_macros.hpp"
#include "realtime_publish.hpp"

namespace stance_controllers {

using semantic_components::ContactSensor;

namespace {

// What the sensor does not know leaves the message as it was: zero.
template <class Message>
void set(Message& to, const std::array<double, 3>& from) {
  if (std::isnan(from[0])) return;
  to.x = from[0], to.y = from[1], to.z = from[2];
}

void fill(const ContactSensor& sensor, stance_msgs::msg::ContactState& message) {
  message.status = static_cast<std::uint8_t>(sensor.get_status());
  message.contact_raw = sensor.get_contact_raw().value_or(message.status >
                                                          stance_msgs::msg::ContactState::INACTIVE);
  message.support = sensor.get_support().value_or(false);
  message.slip = sensor.get_slip();
  if (std::isnan(message.slip)) message.slip = 0;
  sensor.get_values_as_message(message.wrench);
  set(message.force_now, sensor.get_force_now());
  set(message.pose.position, sensor.get_position());
  const auto q = sensor.get_orientation();
  set(message.pose.orientation, {q[0], q[1], q[2]});
  if (!std::isnan(q[3])) message.pose.orientation.w = q[3];
  set(message.velocity.linear, sensor.get_linear_velocity());
  set(message.velocity.angular, sensor.get_angular_velocity());
  set(message.surface_normal, sensor.get_normal());
}

}  // namespace

ContactStateBroadcaster::CallbackReturn ContactStateBroadcaster::on_init() {
  try {
    auto_declare<std::vector<std::string>>("sensors", {});
    auto_declare<std::vector<std::string>>("interfaces", ContactSensor::all_parts());
    auto_declare<std::string>("frame_id", "world");
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_node()->get_logger(), "a parameter has the wrong type: %s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

ContactStateBroadcaster::CallbackReturn ContactStateBroadcaster::on_configure(
    const rclcpp_lifecycle::State& /*previous*/) {
  const auto names = get_node()->get_parameter("sensors").as_string_array();
  if (names.empty()) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "the parameter 'sensors' is empty; list the contact sensors, such as "
                 "[left_foot, right_foot]");
    return CallbackReturn::ERROR;
  }
  sensors_.clear();
  message_ = Message();
  message_.header.frame_id = get_node()->get_parameter("frame_id").as_string();
  for (const std::string& name : names) {
    try {
      sensors_.push_back(std::make_unique<ContactSensor>(
          name, get_node()->get_parameter("interfaces").as_string_array()));
    } catch (const std::invalid_argument& error) {
      RCLCPP_ERROR(get_node()->get_logger(), "parameter 'interfaces': %s", error.what());
      return CallbackReturn::ERROR;
    }
    message_.contacts.emplace_back().name = name;
  }
  publisher_ = std::make_unique<realtime_tools::RealtimePublisher<Message>>(
      get_node()->create_publisher<Message>("~/contact_states", rclcpp::SystemDefaultsQoS()));
  reserve(*publisher_, message_);
  return CallbackReturn::SUCCESS;
}

controller_interface::InterfaceConfiguration ContactStateBroadcaster::
    command_interface_configuration() const {
  return {controller_interface::interface_configuration_type::NONE, {}};
}

controller_interface::InterfaceConfiguration ContactStateBroadcaster::
    state_interface_configuration() const {
  controller_interface::InterfaceConfiguration wanted{
      controller_interface::interface_configuration_type::INDIVIDUAL, {}};
  for (const auto& sensor : sensors_) {
    const auto names = sensor->get_state_interface_names();
    wanted.names.insert(wanted.names.end(), names.begin(), names.end());
  }
  return wanted;
}

ContactStateBroadcaster::CallbackReturn ContactStateBroadcaster::on_activate(
    const rclcpp_lifecycle::State& /*previous*/) {
  for (const auto& sensor : sensors_) {
    if (sensor->assign_loaned_state_interfaces(state_interfaces_)) continue;
    RCLCPP_ERROR(
        get_node()->get_logger(),
        "contact sensor '%s' lacks a state interface; 'interfaces' lists what it must have",
        sensor->get_name().c_str());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

ContactStateBroadcaster::CallbackReturn ContactStateBroadcaster::on_deactivate(
    const rclcpp_lifecycle::State& /*previous*/) {
  for (const auto& sensor : sensors_) sensor->release_interfaces();
  return CallbackReturn::SUCCESS;
}

controller_interface::return_type ContactStateBroadcaster::update(
    const rclcpp::Time& time, const rclcpp::Duration& /*period*/) {
  message_.header.stamp = time;
  for (std::size_t k = 0; k < sensors_.size(); ++k) fill(*sensors_[k], message_.contacts[k]);
  try_publish(*publisher_, message_);
  return controller_interface::return_type::OK;
}

}  // namespace stance_controllers

PLUGINLIB_EXPORT_CLASS(stance_controllers::ContactStateBroadcaster,
                       controller_interface::ControllerInterface)
