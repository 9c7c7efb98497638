// Small robots for the tests of the program, as URDF text.
#pragma once

#include <string>

namespace stance::sample {

inline std::string link(const std::string& name, double mass = 1) {
  return "<link name='" + name + "'><inertial><origin xyz='0.1 -0.05 0.2'/><mass value='" +
         std::to_string(mass) +
         "'/><inertia ixx='0.03' ixy='0.002' ixz='-0.001' iyy='0.04' iyz='0.003' "
         "izz='0.02'/></inertial></link>";
}

inline std::string joint(const std::string& name, const std::string& type,
                         const std::string& parent, const std::string& child,
                         const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child +
         "'/><origin xyz='0.3 0.1 -0.2' rpy='0.2 -0.4 0.6'/><axis xyz='0 0 1'/>" + inside +
         "</joint>";
}

inline const std::string kLimit = "<limit lower='-2' upper='2.5' velocity='8' effort='60'/>";

// trunk - hip - thigh - knee - shank, and a foot fixed to the shank.
inline std::string leg() {
  return "<robot name='leg'>" + link("trunk", 5) + link("thigh", 2) + link("shank") +
         "<link name='foot'/>" +
         joint("hip", "revolute", "trunk", "thigh",
               kLimit + "<dynamics damping='0.7' friction='0.1'/>") +
         joint("knee", "revolute", "thigh", "shank", kLimit) +
         joint("ankle", "fixed", "shank", "foot") + "</robot>";
}

// The same with the knee following the hip: q_knee = -2 q_hip + 0.1.
inline std::string mimic_leg() {
  return "<robot name='mimic_leg'>" + link("trunk", 5) + link("thigh", 2) + link("shank") +
         joint("hip", "revolute", "trunk", "thigh", kLimit + "<dynamics damping='0.7'/>") +
         joint("knee", "revolute", "thigh", "shank",
               kLimit +
                   "<dynamics damping='0.3'/><mimic joint='hip' multiplier='-2' offset='0.1'/>") +
         "</robot>";
}

// One joint of each kind that has several axes.
inline std::string many_axes() {
  return "<robot name='many_axes'>" + link("trunk", 5) + link("ball_link") + link("plate") +
         link("drone") + link("slider") +
         joint("shoulder", "floating", "trunk", "ball_link", "<stance type='ball'/>") +
         joint("table", "planar", "trunk", "plate") +
         joint("tether", "floating", "plate", "drone") +
         joint("rail", "prismatic", "ball_link", "slider", kLimit) + "</robot>";
}

// A root without mass: the way a robot that stands on the ground is often written.
inline std::string grounded() {
  return "<robot name='grounded'><link name='ground'/>" + link("arm") +
         joint("pivot", "continuous", "ground", "arm") + "</robot>";
}

// A point mass of 2 kg on a rod of 0.5 m that turns about y: (m l² + J) a = tau - d v - m g l sin q.
inline std::string pendulum() {
  return "<robot name='pendulum'><link name='wall'/><link name='bob'><inertial><origin xyz='0 0 "
         "-0.5'/>"
         "<mass value='2'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' "
         "izz='0'/></inertial></link>"
         "<joint name='pivot' type='continuous'><parent link='wall'/><child link='bob'/><axis "
         "xyz='0 1 0'/>"
         "<dynamics damping='0.25'/><stance armature='0.125'/></joint></robot>";
}

}  // namespace stance::sample
