// <link> -> LinkDescription. Shapes are left to those who draw and collide; of an <inertial> nothing may be missing,
// as every value we could put there would change the physics.
#include "read_link.hpp"

#include <fmt/format.h>

#include "element.hpp"
#include "refusal.hpp"

namespace stance {
namespace {

InertialDescription read_inertial(const Element& inertial, std::vector<Remark>& remarks) {
  remark_unknown(inertial, {}, {"origin", "mass", "inertia"}, remarks);
  const auto mass = required_child(inertial, "mass", "<mass value=\"...\"/> in kg");
  const auto inertia = required_child(
      inertial, "inertia",
      "<inertia ixx ixy ixz iyy iyz izz> in kg m^2; all zero for a point mass");
  remark_unknown(mass, {"value"}, {}, remarks);
  remark_unknown(inertia, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, remarks);

  InertialDescription result;
  const Eigen::Isometry3d X = origin(inertial, remarks);
  result.center = X.translation();
  result.rotation = X.linear();
  result.mass = required_number(mass, "value");
  const auto moment = [&](const char* name) { return required_number(inertia, name); };
  const double ixx = moment("ixx"), ixy = moment("ixy"), ixz = moment("ixz");
  const double iyy = moment("iyy"), iyz = moment("iyz"), izz = moment("izz");
  result.inertia << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return result;
}

}  // namespace

LinkDescription read_link(const tinyxml2::XMLElement& xml, std::vector<Remark>& remarks) {
  LinkDescription result;
  result.name = required_text(Element{xml, "link"}, "name");
  const Element link{xml, fmt::format("link '{}'", result.name)};
  if (const auto ours = child(link, "stance")) {
    refuse(ErrorCode::kStructure, *ours, "our extension belongs inside a <joint>; move it there");
  }
  remark_unknown(link, {"name"}, {"inertial", "visual", "collision"}, remarks);
  if (const auto inertial = child(link, "inertial")) {
    result.inertial = read_inertial(*inertial, remarks);
  }
  return result;
}

}  // namespace stance
