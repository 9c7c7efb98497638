// The component without the framework round it, whose own calls are not ours.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "compass_rig.hpp"
#include "hardware_interface/component_parser.hpp"
#include "hardware_interface/system_interface.hpp"
#include "pluginlib/class_loader.hpp"

namespace stance::test {

using hardware_interface::SystemInterface;

class BareComponent {
 public:
  explicit BareComponent(const std::string& urdf)
      : loader_("hardware_interface", "hardware_interface::SystemInterface") {
    system_ = loader_.createUniqueInstance("stance_hardware/StanceSystem");
    hardware_interface::HardwareComponentParams params;
    params.hardware_info = hardware_interface::parse_control_resources_from_urdf(urdf)[0];
    params.hardware_info.rw_rate = kRate;
    params.clock = std::make_shared<rclcpp::Clock>();
    params.logger = rclcpp::get_logger("component");
    EXPECT_EQ(system_->init(params), hardware_interface::CallbackReturn::SUCCESS);
    states_ = system_->on_export_state_interfaces();
    commands_ = system_->on_export_command_interfaces();
    const rclcpp_lifecycle::State state;
    EXPECT_EQ(system_->on_configure(state), hardware_interface::CallbackReturn::SUCCESS);
    EXPECT_EQ(system_->on_activate(state), hardware_interface::CallbackReturn::SUCCESS);
  }
  SystemInterface& operator*() { return *system_; }
  SystemInterface* operator->() { return system_.get(); }
  // What a controller writes.
  void command(const std::vector<std::string>& names, double value) {
    for (const auto& one : commands_)
      if (std::find(names.begin(), names.end(), one->get_name()) != names.end())
        EXPECT_TRUE(one->set_value(value, true));
  }
  std::size_t state_count() const { return states_.size(); }

 private:
  pluginlib::ClassLoader<SystemInterface> loader_;
  pluginlib::UniquePtr<SystemInterface> system_;
  std::vector<hardware_interface::StateInterface::ConstSharedPtr> states_;
  std::vector<hardware_interface::CommandInterface::SharedPtr> commands_;
};

}  // namespace stance::test
