// The robot: checked, constant, in canonical frames, in fixed memory. Made by build_model and never changed.
//
// Each body has a home frame H. For body 0 it is the root link's frame; for body i it sits where joint i moves it,
// turned so that the joint's axis is z. A link of the file is a named Frame fixed in some body's home frame.
// Which body is the root of the walk, and so which joints are walked backwards, is the Tree's affair.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "stance_core/base/capacity.hpp"
#include "stance_core/base/index.hpp"
#include "stance_core/base/name.hpp"
#include "stance_core/base/processor.hpp"
#include "stance_core/model/joint.hpp"
#include "stance_core/model/lane_plan.hpp"
#include "stance_core/spatial/inertia.hpp"

namespace stance {

// Below this a joint is said to move no inertia (kg m² or kg). Rounding leaves up to 1e-14 of what a large robot's
// articulated inertias cancel; the lightest finger is above 1e-9.
inline constexpr double kMinInertia = 1e-12;

// Infinite where the file sets none. They belong to what the user sees of the joint and never change with the root.
struct Limits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();
};

struct Body {
  BodyId parent;           // in the file; none for body 0
  FrameId link;            // the link this body is named after
  RigidInertia<double> I;  // with everything lumped into it, in the home frame
  Mat3<double> R_bind;  // home axes in the root link's when all joints are at zero (the bind pose)
};

// Joint i connects body i to its parent. Entry 0 is unused: body 0 has the support joint.
struct Joint {
  Name name;
  JointKind kind = JointKind::kFixed;
  bool continuous = false;
  int q_index = 0;  // first coordinate in State::q
  int v_index = 0;  // first velocity in State::v
  Limits limits;
  double damping = 0;
  double friction = 0;
  double armature = 0;
  Transform<double> X_PN;  // near frame N of the joint in the parent's home frame
  RigidInertia<double>
      I_near;  // the parent body in frame N: what the walk needs when it comes the other way
};

struct Frame {
  Name name;
  BodyId body;
  Transform<double> X_HF;  // in the body's home frame
};

// q[joint] = multiplier q[leader] + offset. Leaders are independent joints: chains are resolved at load.
struct Mimic {
  JointId joint, leader;
  double multiplier = 1;
  double offset = 0;
};

struct Model {
  Name name;
  int body_count = 0;
  int frame_count = 0;
  int mimic_count = 0;
  int coordinate_count = 0;  // of State::q, support included (7)
  int dof_count = 0;         // of State::v, support included (6)
  Vec3<double> gravity{0, 0, -9.81};
  std::array<Body, kMaxBodies> bodies;
  std::array<Joint, kMaxBodies> joints;
  std::array<Frame, kMaxFrames> frames;
  std::array<Mimic, kMaxMimics> mimics;
  // ---- set by derive(), for the inner loops
  std::array<double, kMaxDofs> damping{};  // by State::v
  // A gear is a leader with all that follow it.
  int gear_count = 0;
  std::array<std::int16_t, kMaxBodies> gear_of;  // by joint; -1: in none
  std::array<double, kMaxBodies> gear_ratio;     // by joint: its velocity over its leader's
  bool gears_are_joined = true;  // the joints of each share bodies, one with the next
  bool joints_have_one_coordinate =
      true;  // then the rates of State::q beyond the support are State::v
  Processor processor = Processor::kAny;  // the algorithms run as compiled for it
  LanePlan lanes;                         // which joints they work on together
};

static_assert(std::is_trivially_copyable_v<Model>, "a Model is bytes: it holds no heap");

// Sets what follows from the rest. build_model does it; whoever changes a joint later does it again.
void derive(Model& model) noexcept;

// Look-ups by name, for load and configure time. An id that is not valid() means: no such name.
FrameId find_frame(const Model& model, std::string_view name) noexcept;
JointId find_joint(const Model& model, std::string_view name) noexcept;

double total_mass(const Model& model) noexcept;

}  // namespace stance
