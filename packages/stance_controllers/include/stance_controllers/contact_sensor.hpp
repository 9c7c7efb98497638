// A contact sensor as controllers see it, in the manner of ros2_control's semantic components (ForceTorqueSensor,
// IMUSensor). It depends on ros2_control alone, so that it can move there as it is.
//
//   interface        unit   what
//   contact          0, 1   in contact, once it has lasted
//   contact_raw      0, 1   in contact now
//   force.x .y .z    N      of the environment on the sensor's link, in the link's axes
//   torque.x .y .z   N m    about the link's origin
//   slip             m/s    along the surface
//   support          0, 1   this contact carries the robot
//   force_now.x …    N      where `force` is the mean of a period: at its end, same axes
//   position.x …     m      of the link's origin, in the world, as all below
//   orientation.x … .w      of the link's axes
//   linear_velocity.x …     m/s of the link's origin, angular_velocity.x … rad/s
//   normal.x …              of the surface, out of it
//
// Only `contact` is needed; a robot with nothing but switches has no other, and only a simulation knows the last six. A part
// that is not there reads NaN, and so does one that the hardware has not filled yet: a flag is then not known.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry_msgs/msg/wrench.hpp"
#include "hardware_interface/loaned_state_interface.hpp"
#include "semantic_components/semantic_component_interface.hpp"

namespace semantic_components {

class ContactSensor : public SemanticComponentInterface<geometry_msgs::msg::Wrench> {
 public:
  enum class Status : unsigned char { kUnknown, kInactive, kActive, kSlipping };

  static std::vector<std::string> all_parts() {
    return {"contact",          "contact_raw", "force",    "torque",      "slip",
            "support",          "force_now",   "position", "orientation", "linear_velocity",
            "angular_velocity", "normal"};
  }

  // Throws std::invalid_argument where a part is unknown, or `contact` is missing.
  explicit ContactSensor(const std::string& name,
                         const std::vector<std::string>& parts = all_parts())
      : SemanticComponentInterface(name, kCount) {
    values_.fill(std::numeric_limits<double>::quiet_NaN());
    places_.fill(kNowhere);
    for (const std::string& part : parts) add(part);
    if (places_[kContact] != 0)
      throw std::invalid_argument("contact sensor '" + name +
                                  "': the first part must be 'contact'; the others are optional");
  }

  const std::string& get_name() const { return name_; }

  // Empty: not known.
  std::optional<bool> get_contact() const { return flag(kContact); }
  std::optional<bool> get_contact_raw() const { return flag(kContactRaw); }
  std::optional<bool> get_support() const { return flag(kSupport); }

  std::array<double, 3> get_forces() const { return vector(kForce); }
  std::array<double, 3> get_torques() const { return vector(kTorque); }
  std::array<double, 3> get_force_now() const { return vector(kForceNow); }
  std::array<double, 3> get_position() const { return vector(kPosition); }
  std::array<double, 4> get_orientation() const {  // x, y, z, w
    return {value(kOrientation), value(kOrientation + 1), value(kOrientation + 2),
            value(kOrientation + 3)};
  }
  std::array<double, 3> get_linear_velocity() const { return vector(kLinearVelocity); }
  std::array<double, 3> get_angular_velocity() const { return vector(kAngularVelocity); }
  std::array<double, 3> get_normal() const { return vector(kNormal); }
  double get_slip() const { return value(kSlip); }

  // A contact whose slip is not known does not slip.
  Status get_status() const {
    const auto contact = get_contact();
    if (!contact) return Status::kUnknown;
    if (!*contact) return Status::kInactive;
    return get_slip() > 0 ? Status::kSlipping : Status::kActive;
  }

  // False, and the message as it was, where the sensor measures neither force nor torque, or has no number yet.
  bool get_values_as_message(geometry_msgs::msg::Wrench& message) const {
    const auto force = get_forces(), torque = get_torques();
    if (std::isnan(force[0]) && std::isnan(torque[0])) return false;
    const auto set = [](auto& to, const std::array<double, 3>& from) {
      to.x = from[0], to.y = from[1], to.z = from[2];
    };
    set(message.force, force);
    set(message.torque, torque);
    return true;
  }

 protected:
  enum Slot : std::size_t {
    kContact,
    kContactRaw,
    kForce,
    kTorque = kForce + 3,
    kSlip = kTorque + 3,
    kSupport,
    kForceNow,
    kPosition = kForceNow + 3,
    kOrientation = kPosition + 3,
    kLinearVelocity = kOrientation + 4,
    kAngularVelocity = kLinearVelocity + 3,
    kNormal = kAngularVelocity + 3,
    kCount = kNormal + 3
  };

  void add(const std::string& part) {
    const auto one = [&](std::size_t slot, const std::string& interface) {
      places_[slot] = interface_names_.size();
      interface_names_.push_back(name_ + "/" + interface);
    };
    const auto three = [&](std::size_t slot) {
      one(slot, part + ".x"), one(slot + 1, part + ".y"), one(slot + 2, part + ".z");
    };
    if (part == "contact") return one(kContact, part);
    if (part == "contact_raw") return one(kContactRaw, part);
    if (part == "force") return three(kForce);
    if (part == "torque") return three(kTorque);
    if (part == "slip") return one(kSlip, part);
    if (part == "support") return one(kSupport, part);
    if (part == "force_now") return three(kForceNow);
    if (part == "position") return three(kPosition);
    if (part == "orientation") return three(kOrientation), one(kOrientation + 3, part + ".w");
    if (part == "linear_velocity") return three(kLinearVelocity);
    if (part == "angular_velocity") return three(kAngularVelocity);
    if (part == "normal") return three(kNormal);
    throw std::invalid_argument("contact sensor '" + name_ + "': part '" + part +
                                "' is not known; there are contact, contact_raw, force, torque, "
                                "slip, support, force_now, position, orientation, "
                                "linear_velocity, angular_velocity and normal");
  }

  template <class Interface>
  static std::optional<double> number(const Interface& interface) {
    if constexpr (requires { interface.get_optional(); }) {
      return interface.get_optional();
    } else {  // Humble
      return interface.get_value();
    }
  }

  // A value that another thread writes right now stays as it was.
  double value(std::size_t slot) const {
    if (places_[slot] < state_interfaces_.size()) {
      if (const auto now = number(state_interfaces_[places_[slot]].get())) values_[slot] = *now;
    }
    return values_[slot];
  }
  std::optional<bool> flag(Slot slot) const {
    const double now = value(slot);
    if (std::isnan(now)) return std::nullopt;
    return now != 0;
  }
  std::array<double, 3> vector(Slot slot) const {
    return {value(slot), value(slot + 1), value(slot + 2)};
  }

  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::array<std::size_t, kCount> places_{};  // by slot, among the interfaces
  mutable std::array<double, kCount> values_{};
};

}  // namespace semantic_components
