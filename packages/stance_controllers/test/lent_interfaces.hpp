// Interfaces as hardware lends them: names, and the numbers behind them.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "hardware_interface/loaned_command_interface.hpp"
#include "hardware_interface/loaned_state_interface.hpp"

namespace stance::test {

// double* is the form that every version from Humble on has
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

class LentInterfaces {
 public:
  double& operator[](const std::string& name) {
    return values_.try_emplace(name, std::numeric_limits<double>::quiet_NaN()).first->second;
  }
  std::vector<hardware_interface::LoanedStateInterface> states(
      const std::vector<std::string>& names) {
    return lend<hardware_interface::LoanedStateInterface>(names, states_);
  }
  std::vector<hardware_interface::LoanedCommandInterface> commands(
      const std::vector<std::string>& names) {
    return lend<hardware_interface::LoanedCommandInterface>(names, commands_);
  }

 private:
  template <class Loaned, class Interface>
  std::vector<Loaned> lend(const std::vector<std::string>& names,
                           std::vector<std::shared_ptr<Interface>>& kept) {
    std::vector<Loaned> loaned;
    loaned.reserve(names.size());
    for (const std::string& name : names) {
      const auto slash = name.find('/');
      const auto& one = kept.emplace_back(std::make_shared<Interface>(
          name.substr(0, slash), name.substr(slash + 1), &(*this)[name]));
      if constexpr (std::is_constructible_v<Loaned, std::shared_ptr<Interface>>) {
        loaned.emplace_back(one);
      } else {  // Humble
        loaned.emplace_back(*one);
      }
    }
    return loaned;
  }

  std::map<std::string, double> values_;
  std::vector<std::shared_ptr<hardware_interface::StateInterface>> states_;
  std::vector<std::shared_ptr<hardware_interface::CommandInterface>> commands_;
};

#pragma GCC diagnostic pop

// Makes its node; the signature changed from version to version.
template <class Controller>
controller_interface::return_type init(Controller& controller, const std::string& name,
                                       const std::vector<rclcpp::Parameter>& parameters) {
  rclcpp::NodeOptions options;
  if constexpr (requires { controller.define_custom_node_options(); })
    options = controller.define_custom_node_options();
  else  // Humble
    options.allow_undeclared_parameters(true).automatically_declare_parameters_from_overrides(true);
  options.parameter_overrides(parameters);
  if constexpr (requires { controller.init(name, "", 1000, "", options); }) {
    return controller.init(name, "", 1000, "", options);
  } else {
    return controller.init(name, "", options);
  }
}

// Lends it what it asks for.
template <class Controller>
void lend(LentInterfaces& hardware, Controller& controller) {
  controller.assign_interfaces(
      hardware.commands(controller.command_interface_configuration().names),
      hardware.states(controller.state_interface_configuration().names));
}

}  // namespace stance::test
