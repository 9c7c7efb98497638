// A compass behind a ResourceManager, as the controller manager has it, and the words that were logged.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hardware_interface/resource_manager.hpp"
#include "lifecycle_msgs/msg/state.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rcutils/logging.h"

namespace stance::test {

constexpr unsigned kRate = 1000;

inline std::string config(const std::string& name) { return STANCE_CONFIG_FOLDER "/" + name; }

inline std::string vector_of(const std::string& name) {
  std::string text;
  for (const char* axis : {"x", "y", "z"})
    text += "<state_interface name=\"" + name + "." + axis + "\"/>";
  return text;
}

// All interfaces there are.
inline std::string full_tag(const std::string& scenario) {
  return "<ros2_control name=\"stance\" type=\"system\"><hardware>"
         "<plugin>stance_hardware/StanceSystem</plugin>"
         "<param name=\"scenario\">" +
         scenario +
         "</param></hardware>"
         "<joint name=\"right_hip\"><command_interface name=\"position\"/>"
         "<command_interface name=\"velocity\"/><command_interface name=\"effort\"/>"
         "<command_interface name=\"kp\"/><command_interface name=\"kd\"/>"
         "<state_interface name=\"position\"/><state_interface name=\"velocity\"/>"
         "<state_interface name=\"effort\"/></joint>"
         "<sensor name=\"base\"><param name=\"type\">base</param>" +
         vector_of("position") + vector_of("orientation") +
         "<state_interface name=\"orientation.w\"/>" + vector_of("linear_velocity") +
         vector_of("angular_velocity") +
         "</sensor>"
         "<sensor name=\"imu\"><param name=\"type\">imu</param><param name=\"link\">hip</param>" +
         vector_of("orientation") + "<state_interface name=\"orientation.w\"/>" +
         vector_of("angular_velocity") + vector_of("linear_acceleration") +
         "</sensor>"
         "<sensor name=\"hip_ft\"><param name=\"type\">force_torque</param>"
         "<param name=\"joint\">right_hip</param>" +
         vector_of("force") + vector_of("torque") +
         "</sensor><sensor name=\"left_foot\"><param name=\"type\">foot</param>"
         "<state_interface name=\"contact\"/><state_interface name=\"contact_raw\"/>" +
         vector_of("force") + vector_of("torque") +
         "<state_interface name=\"slip\"/><state_interface name=\"support\"/></sensor>"
         "<sensor name=\"right_foot\"><param name=\"type\">foot</param>"
         "<state_interface name=\"contact\"/><state_interface name=\"support\"/></sensor>"
         "</ros2_control>";
}
constexpr std::size_t kStates = 3 + 13 + 10 + 6 + 10 + 2;

inline std::string compass_urdf(const std::string& tag) {
  std::ifstream file(STANCE_URDF_FOLDER "/compass.urdf");
  std::string xml{std::istreambuf_iterator<char>(file), {}};
  return xml.insert(xml.rfind("</robot>"), tag);
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// Everything that was logged since it was made.
class Log {
 public:
  Log() {
    instance() = this;
    before_ = rcutils_logging_get_output_handler();
    rcutils_logging_set_output_handler(&Log::handle);
  }
  ~Log() {
    rcutils_logging_set_output_handler(before_);
    instance() = nullptr;
  }
  bool has(const std::string& words) const {
    const std::lock_guard lock(mutex_);
    return text_.find(words) != text_.npos;
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  static Log*& instance() {
    static Log* log = nullptr;
    return log;
  }
  static void handle(const rcutils_log_location_t* /*where*/, int /*severity*/,
                     const char* /*name*/, rcutils_time_point_value_t /*when*/, const char* format,
                     va_list* arguments) {
    char line[2048];
    va_list copy;
    va_copy(copy, *arguments);
    std::vsnprintf(line, sizeof line, format, copy);
    va_end(copy);
    const std::lock_guard lock(instance()->mutex_);
    instance()->text_ += std::string(line) + '\n';
  }

  mutable std::mutex mutex_;
  std::string text_;
  rcutils_logging_output_handler_t before_;
};

class Rig {
 public:
  explicit Rig(const std::string& urdf, unsigned rate = kRate, bool activate = true)
      : node_(std::make_shared<rclcpp::Node>("rig")),
        manager_(node_->get_clock(), node_->get_logger()) {
    hardware_interface::ResourceManagerParams params;
    params.robot_description = urdf;
    params.clock = node_->get_clock();
    params.logger = node_->get_logger();
    params.update_rate = rate;
    loaded_ = manager_.load_and_initialize_components(params);
    if (loaded_ && activate) to(lifecycle_msgs::msg::State::PRIMARY_STATE_ACTIVE, "active");
  }
  // Whether the component got there.
  bool to(std::uint8_t id, const char* label) {
    rclcpp_lifecycle::State state(id, label);
    return manager_.set_component_state("stance", state) == hardware_interface::return_type::OK &&
           state_id() == id;
  }
  std::uint8_t state_id() { return manager_.get_components_status().at("stance").state.id(); }
  bool loaded() const { return loaded_; }
  // One cycle of a controller manager that has no controllers.
  bool cycle() {
    const rclcpp::Duration period(0, 1'000'000'000 / kRate);
    bool ok = manager_.read(node_->now(), period).result == hardware_interface::return_type::OK;
    ok = manager_.write(node_->now(), period).result == hardware_interface::return_type::OK && ok;
    return ok;
  }
  bool switch_mode(const std::vector<std::string>& start,
                   const std::vector<std::string>& stop = {}) {
    return manager_.prepare_command_mode_switch(start, stop) &&
           manager_.perform_command_mode_switch(start, stop);
  }
  hardware_interface::ResourceManager& manager() { return manager_; }
  const std::shared_ptr<rclcpp::Node>& node() { return node_; }

 private:
  std::shared_ptr<rclcpp::Node> node_;
  hardware_interface::ResourceManager manager_;
  bool loaded_ = false;
};

}  // namespace stance::test
