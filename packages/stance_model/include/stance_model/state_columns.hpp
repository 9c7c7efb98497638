// The columns of a table of states: which names a robot has, and where each number belongs.
//
//   base.x base.y base.z  base.qx base.qy base.qz base.qw    pose of the root link in the world
//   base.vx .vy .vz  base.wx .wy .wz                         its velocity in its own frame
//   base.fx .fy .fz  base.mx .my .mz                         the wrench on it, in its own frame
//   base.ax .ay .az  base.alphax .alphay .alphaz             derivative of the components of the velocity
//   q.J  v.J  tau.J  a.J                                     position, velocity, effort, acceleration of joint J
// A joint with more than one degree of freedom has a column for each, with the base's suffixes:
//   ball     q .qx .qy .qz .qw   v .wx .wy .wz   tau .mx .my .mz   a .alphax .alphay .alphaz
//   planar   q .x .y .theta      v .vx .vy .wz   tau .fx .fy .mz   a .ax .ay .alphaz
//   free     as the base
#pragma once

#include <array>
#include <string>
#include <vector>

#include "stance_core/model/model.hpp"
#include "stance_core/model/state.hpp"

namespace stance {

// One row: four vectors laid out as State::q and State::v, the base as a free joint in front. Velocities, wrenches and
// accelerations have the angular part first in here, whatever the order of the columns.
struct StateRow {
  std::array<double, kMaxCoordinates> q{};
  DofVector v{}, tau{}, a{};
};

enum class Quantity { kPosition, kVelocity, kEffort, kAcceleration };

struct Column {
  std::string name;
  Quantity quantity{};
  int index = 0;       // in the row's vector of that quantity
  JointId joint;       // none: the base
  bool mimic = false;  // the joint follows another one
};

// Every column the robot has, the base's first, then joint by joint.
std::vector<Column> state_columns(const Model& model);

// The columns of the answer: accelerations, or efforts; without the base's where the base is fixed.
std::vector<Column> result_columns(const Model& model, Quantity quantity, bool fixed_base);

double value(const StateRow& row, const Column& column);
double& value(StateRow& row, const Column& column);

}  // namespace stance
