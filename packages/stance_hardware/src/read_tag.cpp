#include "read_tag.hpp"

namespace stance {
namespace {

using Interfaces = std::vector<hardware_interface::InterfaceInfo>;

const hardware_interface::InterfaceInfo* find_other_type(const Interfaces& interfaces) {
  for (const auto& interface : interfaces)
    if (!interface.data_type.empty() && interface.data_type != "double") return &interface;
  return nullptr;
}

Result<std::vector<TagComponent>> read(
    const char* what, const std::vector<hardware_interface::ComponentInfo>& components) {
  std::vector<TagComponent> all;
  for (const auto& component : components) {
    for (const Interfaces* interfaces :
         {&component.command_interfaces, &component.state_interfaces}) {
      if (const auto* other = find_other_type(*interfaces)) {
        return Error{ErrorCode::kUnsupported, std::string(what) + " '" + component.name + "'",
                     "interface '" + other->name + "' has the data type " + other->data_type +
                         "; all are double here, and truth is 0 or 1"};
      }
    }
    TagComponent& one = all.emplace_back();
    one.name = component.name;
    for (const auto& interface : component.command_interfaces)
      one.commands.push_back(interface.name);
    for (const auto& interface : component.state_interfaces) {
      one.states.push_back(interface.name);
      if (!interface.initial_value.empty())
        one.initial_values.emplace(interface.name, interface.initial_value);
    }
    one.parameters.insert(component.parameters.begin(), component.parameters.end());
  }
  return all;
}

}  // namespace

Result<HardwareTag> read_tag(const hardware_interface::HardwareInfo& info) {
  auto joints = read("joint", info.joints);
  if (!joints) return joints.error();
  auto sensors = read("sensor", info.sensors);
  if (!sensors) return sensors.error();
  auto gpios = read("gpio", info.gpios);
  if (!gpios) return gpios.error();
  return HardwareTag{*std::move(joints), *std::move(sensors), *std::move(gpios)};
}

}  // namespace stance
