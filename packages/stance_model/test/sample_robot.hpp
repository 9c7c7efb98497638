// A small robot that loads without a remark but those on lumping, and the means to break it in one place.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace stance {

inline constexpr std::string_view kSampleRobot = R"(<?xml version="1.0"?>
<robot name="sample">
  <link name="trunk">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <mass value="5"/>
      <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.4" iyz="0" izz="0.5"/>
    </inertial>
  </link>
  <link name="thigh">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.03" ixy="0.001" ixz="0.002" iyy="0.04" iyz="0.003" izz="0.05"/>
    </inertial>
  </link>
  <link name="shin">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <joint name="hip" type="revolute">
    <parent link="trunk"/>
    <child link="thigh"/>
    <origin xyz="0 0.1 -0.2" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="8"/>
    <dynamics damping="0.5" friction="0.25"/>
    <stance armature="0.01"/>
  </joint>
  <joint name="knee" type="revolute">
    <parent link="thigh"/>
    <child link="shin"/>
    <origin xyz="0 0 -0.4"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="2" effort="20" velocity="8"/>
    <mimic joint="hip" multiplier="2" offset="0.5"/>
  </joint>
</robot>
)";

// The sample robot with the first `from` replaced by `to`. It must be there: a test that breaks nothing tests nothing.
inline std::string sample_with(std::string_view from, std::string_view to) {
  std::string text(kSampleRobot);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the sample robot has no " << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace stance
