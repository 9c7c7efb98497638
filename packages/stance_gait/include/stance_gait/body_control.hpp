// A robot on its feet, as its controller sees it: which forces of the ground give the body a wrench, and which efforts of
// the joints ask the ground for them.
//
// The ground's forces f_k at the places p_k of the feet that stand act on the whole robot,
//   (1) F = sum f_k      (2) M = sum (p_k - c) x f_k      c: the centre of mass
// Of all forces that give F and M, those of least squares sum are asked for: with A the rows of (1) and (2),
//   (3) f = A^T (A A^T + e)^-1 (F, M)
// where e, a millionth, answers for moments that no force can give, as about the line through two feet. Places whose force
// would pull are left out, and the rest asked again; what leaves the cone of friction is cut off along the ground.
// The efforts are those of inverse dynamics at rest with these forces on the feet: gravity's less J^T f.
//
// Nothing here knows more than base, joints and contacts, as sensors have them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stance_core/model/workspace.hpp"
#include "stance_core/plant/plant.hpp"

namespace stance {

class BodyControl {
 public:
  explicit BodyControl(const Plant& plant);

  // Where the robot is now, from its sensors.
  void read(const Plant& plant) noexcept;

  int foot_count() const noexcept { return foot_count_; }
  double mass() const noexcept { return mass_; }
  const Vec3<double>& up() const noexcept { return up_; }
  double gravity() const noexcept { return gravity_; }
  const Vec3<double>& center_of_mass() const noexcept { return center_W_; }
  const Sym3<double>& inertia() const noexcept { return inertia_W_; }  // about it, world axes
  const Transform<double>& base() const noexcept { return X_WB_; }
  const Vec3<double>& base_velocity() const noexcept { return velocity_W_; }
  const Vec3<double>& base_rate() const noexcept { return rate_W_; }
  // Of the foot's lowest point on a robot that stands: the mean of its places.
  Vec3<double> foot_position(int foot) const noexcept;
  Vec3<double> foot_velocity(int foot) const noexcept;

  // ---- what is asked of the ground
  void let_go() noexcept;  // nothing
  // F and M from the feet that stand. The largest part of a place's normal force that is asked along the ground: mu.
  void ask(const std::array<bool, kMaxFeet>& stands, const Vec3<double>& F_W,
           const Vec3<double>& M_W, double mu) noexcept;
  // A leg in the air pushes its foot with this force.
  void push_foot(int foot, const Vec3<double>& force_W) noexcept;
  const Vec3<double>& asked(int place) const noexcept {
    return force_W_[static_cast<std::size_t>(place)];
  }

  // Efforts of all joints; by State::v.
  const DofVector& efforts() noexcept;

  const Model& model() const noexcept { return *model_; }
  // Joints between a foot and the base, nearest to the foot first.
  const std::vector<JointId>& leg(int foot) const noexcept {
    return legs_[static_cast<std::size_t>(foot)];
  }

 private:
  const Model* model_;
  Vec3<double> up_, normal_;
  double gravity_ = 0, mass_ = 0;
  int foot_count_ = 0, place_count_ = 0;
  std::array<Site, kMaxContacts> places_{};
  std::array<std::vector<JointId>, kMaxFeet> legs_;

  Tree tree_;
  State state_;
  std::unique_ptr<Workspace> w_;
  Transform<double> X_WB_;
  Vec3<double> velocity_W_, rate_W_, center_W_;
  Sym3<double> inertia_W_;
  std::array<Vec3<double>, kMaxContacts> place_W_{}, place_velocity_W_{}, force_W_{};
  std::array<Force<double>, kMaxBodies> f_ext_{};
  DofVector efforts_{};
};

// The turn that takes R to R_wanted, as a vector in world axes: rad.
Vec3<double> turn_error(const Mat3<double>& R_wanted, const Mat3<double>& R) noexcept;

}  // namespace stance
