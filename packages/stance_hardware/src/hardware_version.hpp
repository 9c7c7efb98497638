// All that differs between versions of hardware_interface, 2.46 to 6.x, and of rclcpp. Nothing else looks at a version.
//
//   description  on_init(HardwareComponentInterfaceParams) from 4.34 and 5.3, on_init(HardwareInfo) before
//   interfaces   handles that the framework owns and we keep, from 4.40, 5.9 and 6.1; our own doubles before
//   rate         of the controller manager, in HardwareInfo from 4.21; is_async from 4
//   node         the framework's from 4.35 and 5.4, our own before, and where the framework has no executor
//
// State interfaces have numbers, in the order of the tag, joints before sensors; commands too, joints before gpios.
#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hardware_interface/system_interface.hpp"
#include "hardware_interface/types/hardware_interface_return_values.hpp"
#include "hardware_interface/version.h"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp/version.h"

// From 4.a on, from 5.b on, and in 6.
#define STANCE_HARDWARE_SINCE(a, b)                                                      \
  (HARDWARE_INTERFACE_VERSION_MAJOR >= 6 ||                                              \
   (HARDWARE_INTERFACE_VERSION_MAJOR == 5 && HARDWARE_INTERFACE_VERSION_GTE(5, b, 0)) || \
   (HARDWARE_INTERFACE_VERSION_MAJOR == 4 && HARDWARE_INTERFACE_VERSION_GTE(4, a, 0)))

#define STANCE_HAS_INIT_PARAMS STANCE_HARDWARE_SINCE(34, 3)
#define STANCE_HAS_RATE STANCE_HARDWARE_SINCE(21, 0)
#define STANCE_HAS_NODE STANCE_HARDWARE_SINCE(35, 4)
#define STANCE_HAS_HANDLES         \
  (STANCE_HARDWARE_SINCE(40, 9) && \
   (HARDWARE_INTERFACE_VERSION_MAJOR < 6 || HARDWARE_INTERFACE_VERSION_GTE(6, 1, 0)))

namespace stance {

using CallbackReturn = hardware_interface::CallbackReturn;

// What rclcpp takes for the quality of a service, from 21 (after Humble) and before.
inline auto services_qos() {
#if RCLCPP_VERSION_MAJOR >= 21
  return rclcpp::ServicesQoS();
#else
  return rmw_qos_profile_services_default;
#endif
}

class VersionedSystem : public hardware_interface::SystemInterface {
 protected:
  static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

  // The tag is there. Called once, before interfaces are exported.
  virtual CallbackReturn on_description(const hardware_interface::HardwareInfo& info) = 0;

  // Before on_configure: interfaces exist.
  void bind_interfaces() {
#if STANCE_HAS_HANDLES
    state_handles_.clear();
    command_handles_.clear();
    for (const auto& [prefix, name] : state_names_)
      state_handles_.push_back(get_state_interface_handle(full_name(prefix, name)));
    put_.assign(state_names_.size(), kNoNumber);  // as a new handle does
    for (const auto& [prefix, name] : command_names_)
      command_handles_.push_back(get_command_interface_handle(full_name(prefix, name)));
#endif
  }

  // Real-time from here on. A handle that another thread reads at this instant is tried again, a bounded number of times.
  void put_state(std::size_t k, double value) noexcept {
#if STANCE_HAS_HANDLES
    // most of a robot's numbers stand still most of the time, and a handle costs as much as a joint
    if (std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(put_[k])) return;
    if (put(*state_handles_[k], value)) put_[k] = value;
#else
    states_[k] = value;
#endif
  }
  // NaN: nothing is commanded.
  double command(std::size_t k) const noexcept {
#if STANCE_HAS_HANDLES
    double value = kNoNumber;
    try {
      for (int i = 0; i < kTries && !command_handles_[k]->get_value(value, false); ++i) {
      }
    } catch (...) {  // a handle without a value, which none of ours is
      return kNoNumber;
    }
    return value;
#else
    return commands_[k];
#endif
  }
  void clear_command(std::size_t k) noexcept {
#if STANCE_HAS_HANDLES
    (void)put(*command_handles_[k], kNoNumber);
#else
    commands_[k] = kNoNumber;
#endif
  }

  rclcpp::Logger logger() const { return rclcpp::get_logger("stance." + info_.name); }

  // Hz, at which read and write are called; 0: this version does not say.
  static double update_rate(const hardware_interface::HardwareInfo& info) {
#if STANCE_HAS_RATE
    return info.rw_rate;
#else
    (void)info;
    return 0;
#endif
  }

  // Whether read and write are called on another thread than the controllers.
  static bool is_async(const hardware_interface::HardwareInfo& info) {
#if HARDWARE_INTERFACE_VERSION_MAJOR >= 4
    return info.is_async;
#else
    (void)info;
    return false;
#endif
  }

  // The node that topics and services hang on. Its callbacks are called by nobody but us.
  std::shared_ptr<rclcpp::Node> component_node() {
#if STANCE_HAS_NODE
    if (auto node = get_node()) return node;
#endif
    std::string name = info_.name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
      return std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
    });
    // a name that the command line has for the controller manager is not ours
    rclcpp::NodeOptions options;
    options.arguments({"--ros-args", "-r", "__node:=" + name});
    return std::make_shared<rclcpp::Node>(name, options);
  }

 private:
  using Names = std::vector<std::pair<std::string, std::string>>;

  CallbackReturn describe(const hardware_interface::HardwareInfo& info) {
    const auto list = [](const std::vector<hardware_interface::ComponentInfo>& components,
                         bool commands, Names& names) {
      for (const auto& component : components)
        for (const auto& one : commands ? component.command_interfaces : component.state_interfaces)
          names.emplace_back(component.name, one.name);
    };
    list(info.joints, false, state_names_);
    list(info.sensors, false, state_names_);
    list(info.joints, true, command_names_);
    list(info.gpios, true, command_names_);
#if !STANCE_HAS_HANDLES
    states_.assign(state_names_.size(), kNoNumber);
    commands_.assign(command_names_.size(), kNoNumber);
#endif
    return on_description(info);
  }

 public:
#if STANCE_HAS_INIT_PARAMS
  CallbackReturn on_init(const hardware_interface::HardwareComponentInterfaceParams& params) final {
    const auto base = SystemInterface::on_init(params);
    return base == CallbackReturn::SUCCESS ? describe(info_) : base;
  }
#else
  CallbackReturn on_init(const hardware_interface::HardwareInfo& info) final {
    const auto base = SystemInterface::on_init(info);
    return base == CallbackReturn::SUCCESS ? describe(info_) : base;
  }
#endif

#if !STANCE_HAS_HANDLES
  std::vector<hardware_interface::StateInterface> export_state_interfaces() final {
    std::vector<hardware_interface::StateInterface> all;
    for (std::size_t k = 0; k < states_.size(); ++k)
      all.emplace_back(state_names_[k].first, state_names_[k].second, &states_[k]);
    return all;
  }
  std::vector<hardware_interface::CommandInterface> export_command_interfaces() final {
    std::vector<hardware_interface::CommandInterface> all;
    for (std::size_t k = 0; k < commands_.size(); ++k)
      all.emplace_back(command_names_[k].first, command_names_[k].second, &commands_[k]);
    return all;
  }
#endif

 private:
  Names state_names_, command_names_;  // (component, interface)
#if STANCE_HAS_HANDLES
  static constexpr int kTries = 100;
  template <class Interface>
  static bool put(Interface& interface, double value) noexcept {
    try {
      for (int i = 0; i < kTries; ++i)
        if (interface.set_value(value, false)) return true;
    } catch (...) {  // as above
      return false;
    }
    return false;
  }
  static std::string full_name(const std::string& component, const std::string& interface) {
    return std::string(component).append("/").append(interface);
  }
  std::vector<double> put_;  // by state: what its handle holds
  std::vector<hardware_interface::StateInterface::SharedPtr> state_handles_;
  std::vector<hardware_interface::CommandInterface::SharedPtr> command_handles_;
#else
  std::vector<double> states_, commands_;  // never resized once exported
#endif
};

}  // namespace stance
