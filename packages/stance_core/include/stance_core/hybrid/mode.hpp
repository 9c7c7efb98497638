// Mode: which joints the robot has at this instant. The root and how it meets the ground, each contact open, sticking or
// sliding, each joint free or held, each stop free or pressed. Plain data: with State it is all that a simulation is.
//
// A contact site is a place on a body that may touch the ground: the point or the sphere of a foot, or one corner of a sole.
// It changes only at located instants, and only transit() changes it.
#pragma once

#include <array>
#include <type_traits>

#include "stance_core/contact/friction.hpp"
#include "stance_core/model/tree.hpp"

namespace stance {

struct SiteMode {
  ContactMode mode = ContactMode::kOpen;
  bool armed =
      false;  // of a foot that may scuff: it has been clear of the ground ahead of the support
  double height =
      0;  // of a closed site above the ground, which is kept: zero but for a foot struck elsewhere
  Vec3<double> anchor_W;  // where a sticking site is held
  std::array<double, 2>
      d{};  // direction of a slide along the tangents, while it has no speed of its own
};

enum class StopMode : unsigned char { kFree, kPressed, kLatched };

struct Mode {
  JointKind flight =
      JointKind::kFree;  // the support of a robot that nothing roots: free, or planar
  BodyId root;
  Support support;
  int root_foot = -1;  // that the support holds; -1: none
  bool fallen = false;
  std::array<SiteMode, kMaxContacts> sites{};
  std::array<StopMode, kMaxStops> stops{};
  std::array<bool, kMaxBodies> locked{};  // by joint: held at locked_position
  std::array<double, kMaxBodies> locked_position{};
};

static_assert(std::is_trivially_copyable_v<Mode>);

}  // namespace stance
