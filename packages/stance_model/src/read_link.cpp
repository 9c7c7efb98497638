// <link> -> LinkDescription. Shapes are left to those who draw and collide; of an <inertial> nothing may be missing,
// as every value we could put there would change the physics.
#include "read_link.hpp"

#include <fmt/format.h>

#include "element.hpp"
#include "refusal.hpp"

namespace stance {
namespace {

// None: leniently, what the ROS tools leave out too.
std::optional<InertialDescription> read_inertial(const Element& inertial, LoadReport& report) {
  remark_unknown(inertial, {}, {"origin", "mass", "inertia"}, report);
  InertialDescription result;
  const auto mass = child(inertial, "mass", report);
  if (!mass) {
    refuse_unless_lenient(
        inertial,
        {ErrorCode::kStructure, "there is no <mass> in it", "add <mass value=\"...\"/> in kg",
         "leaves the <inertial> out, as the ROS tools do"},
        report);
    return {};
  }
  remark_unknown(*mass, {"value"}, {}, report);
  const Eigen::Isometry3d X = origin(inertial, report);
  result.center = X.translation();
  result.rotation = X.linear();
  result.mass = required_number(*mass, "value");
  const auto inertia = child(inertial, "inertia", report);
  if (!inertia) {
    refuse_unless_lenient(
        inertial,
        {ErrorCode::kStructure, "there is no <inertia> in it",
         "add <inertia ixx ixy ixz iyy iyz izz> in kg m^2; all zero for a point mass",
         "takes a point mass"},
        report);
    return result;
  }
  remark_unknown(*inertia, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, report);
  const auto moment = [&](const char* name) { return required_number(*inertia, name); };
  const auto product = [&](const char* name) {
    const auto value = number(*inertia, name);
    if (!value) {
      const std::string what = fmt::format("the attribute '{}' is missing", name);
      refuse_unless_lenient(*inertia, {ErrorCode::kStructure, what, "add it", "takes 0"}, report);
    }
    return value.value_or(0);
  };
  const double ixx = moment("ixx"), ixy = product("ixy"), ixz = product("ixz");
  const double iyy = moment("iyy"), iyz = product("iyz"), izz = moment("izz");
  result.inertia << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return result;
}

}  // namespace

LinkDescription read_link(const tinyxml2::XMLElement& xml, LoadReport& report) {
  LinkDescription result;
  result.name = required_text(Element{xml, "link"}, "name");
  const Element link{xml, fmt::format("link '{}'", result.name)};
  if (const auto ours = child(link, "stance", report)) {
    refuse(ErrorCode::kStructure, *ours, "our extension belongs inside a <joint>; move it there");
  }
  remark_unknown(link, {"name"}, {"inertial", "visual", "collision"}, report);
  if (const auto inertial = child(link, "inertial", report)) {
    result.inertial = read_inertial(*inertial, report);
  }
  return result;
}

}  // namespace stance
