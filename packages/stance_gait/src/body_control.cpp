#include "stance_gait/body_control.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance {
namespace {

constexpr double kSoftness = 1e-6;  // e of (3), relative to the mean of the diagonal
constexpr int kRounds = 4;          // of leaving out places that would pull

std::vector<JointId> chain(const Model& model, BodyId body) {
  std::vector<JointId> joints;
  for (BodyId i = body; i != BodyId(0); i = model.bodies[i].parent) joints.emplace_back(i);
  return joints;
}

}  // namespace

Vec3<double> turn_error(const Mat3<double>& R_wanted, const Mat3<double>& R) noexcept {
  const Quaternion r = quaternion(R_wanted * transpose(R));
  const Vec3<double> v{r.x, r.y, r.z};
  const double s = norm(v);
  if (s < 1e-9) return v * (r.w < 0 ? -2.0 : 2.0);
  return v * (2 * std::atan2(r.w < 0 ? -s : s, std::abs(r.w)) / s);
}

BodyControl::BodyControl(const Plant& plant)
    : model_(&plant.model()),
      tree_(make_tree(plant.model())),
      state_(neutral_state(plant.model(), tree_)),
      w_(std::make_unique<Workspace>()) {
  const SimulatorSettings& settings = plant.simulator().settings();
  normal_ = settings.ground.normal;
  gravity_ = norm(model_->gravity);
  up_ = gravity_ > 0 ? model_->gravity * (-1 / gravity_) : normal_;
  mass_ = total_mass(*model_);
  foot_count_ = settings.foot_count;
  place_count_ = std::min(contact_sites(*model_, settings, places_), kMaxContacts);
  for (int f = 0; f < foot_count_; ++f)
    legs_[static_cast<std::size_t>(f)] = chain(*model_,
                                               model_->frames[settings.feet[f].frame].body);
  read(plant);
}

void BodyControl::read(const Plant& plant) noexcept {
  for (int i = 1; i < model_->body_count; ++i) {
    const Joint& joint = model_->joints[i];
    if (dof_count(joint.kind) != 1) continue;
    state_.q[joint.q_index] = plant.joint(JointId(i)).position;
    state_.v[joint.v_index] = plant.joint(JointId(i)).velocity;
  }
  apply_mimic(*model_, state_);
  const BaseReading& base = plant.base();
  X_WB_ = {rotation(base.orientation), base.position};
  const Motion<double> V{base.angular_velocity, base.linear_velocity};
  velocity_W_ = X_WB_.R * V.v, rate_W_ = X_WB_.R * V.w;
  set_root_motion(tree_, X_WB_, V, state_);
  kinematics(*model_, tree_, state_, *w_);
  center_W_ = stance::center_of_mass(tree_, *w_);
  RigidInertia<double> whole;
  for (int i = 0; i < model_->body_count; ++i)
    whole += to_parent(w_->X_WB[i] * inverse(tree_.links[i].X_HB), model_->bodies[i].I);
  const Sym3<double> moved = point_inertia(-whole.m, center_W_);  // Steiner, back to the centre
  inertia_W_ = whole.I + moved;
  for (int k = 0; k < place_count_; ++k) {
    const ContactPoint& p = places_[k].point;
    const Transform<double> X_WH = w_->X_WB[p.body] * inverse(tree_.links[p.body].X_HB);
    place_W_[k] = X_WH * p.p_H - normal_ * p.radius;
    const Motion<double> v_H = body_motion(*model_, tree_, state_, p.body).V_H;
    place_velocity_W_[k] = X_WH.R * (v_H.v + cross(v_H.w, p.p_H - transpose_times(X_WH.R, normal_) *
                                                                      p.radius));
  }
}

Vec3<double> BodyControl::foot_position(int foot) const noexcept {
  Vec3<double> sum;
  int count = 0;
  for (int k = 0; k < place_count_; ++k)
    if (places_[k].foot == foot) sum += place_W_[k], ++count;
  return sum * (1.0 / count);
}

Vec3<double> BodyControl::foot_velocity(int foot) const noexcept {
  Vec3<double> sum;
  int count = 0;
  for (int k = 0; k < place_count_; ++k)
    if (places_[k].foot == foot) sum += place_velocity_W_[k], ++count;
  return sum * (1.0 / count);
}

void BodyControl::let_go() noexcept {
  for (int k = 0; k < place_count_; ++k) force_W_[k] = {};
}

void BodyControl::ask(const std::array<bool, kMaxFeet>& stands, const Vec3<double>& F_W,
                      const Vec3<double>& M_W, double mu) noexcept {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  std::array<bool, kMaxContacts> in{};
  for (int k = 0; k < place_count_; ++k) in[k] = stands[static_cast<std::size_t>(places_[k].foot)];
  Vector6 wanted;
  wanted << F_W.x, F_W.y, F_W.z, M_W.x, M_W.y, M_W.z;
  for (int round = 0; round < kRounds; ++round) {
    Matrix6 AAt = Matrix6::Zero();
    double largest = 0;
    for (int k = 0; k < place_count_; ++k) {
      if (!in[k]) continue;
      const Vec3<double> r = place_W_[k] - center_W_;
      Eigen::Matrix3d R;  // of r x
      R << 0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0;
      AAt.topLeftCorner<3, 3>() += Eigen::Matrix3d::Identity();
      AAt.bottomLeftCorner<3, 3>() += R;
      AAt.topRightCorner<3, 3>() -= R;
      AAt.bottomRightCorner<3, 3>() -= R * R;
      largest = std::max(largest, dot(r, r));
    }
    AAt.diagonal().head<3>().array() += kSoftness;
    AAt.diagonal().tail<3>().array() += kSoftness * std::max(largest, 1e-6);
    const Vector6 y = AAt.ldlt().solve(wanted);
    const Vec3<double> a{y[0], y[1], y[2]}, b{y[3], y[4], y[5]};
    bool pulls = false;
    for (int k = 0; k < place_count_; ++k) {
      if (!stands[static_cast<std::size_t>(places_[k].foot)]) continue;
      force_W_[k] = in[k] ? a + cross(b, place_W_[k] - center_W_) : Vec3<double>{};
      if (in[k] && dot(normal_, force_W_[k]) < 0) in[k] = false, pulls = true;
    }
    if (!pulls) break;
  }
  for (int k = 0; k < place_count_; ++k) {
    if (!stands[static_cast<std::size_t>(places_[k].foot)]) continue;
    const double f_n = std::max(dot(normal_, force_W_[k]), 0.0);
    Vec3<double> along = force_W_[k] - normal_ * dot(normal_, force_W_[k]);
    const double size = norm(along);
    if (size > mu * f_n) along = along * (mu * f_n / size);
    force_W_[k] = normal_ * f_n + along;
  }
}

void BodyControl::push_foot(int foot, const Vec3<double>& force_W) noexcept {
  int count = 0;
  for (int k = 0; k < place_count_; ++k) count += places_[k].foot == foot ? 1 : 0;
  for (int k = 0; k < place_count_; ++k)
    if (places_[k].foot == foot) force_W_[k] = force_W * (-1.0 / count);
}

const DofVector& BodyControl::efforts() noexcept {
  for (int i = 0; i < model_->body_count; ++i) f_ext_[i] = {};
  for (int k = 0; k < place_count_; ++k) {
    if (force_W_[k] == Vec3<double>{}) continue;
    const ContactPoint& p = places_[k].point;
    const Transform<double> X_WH = w_->X_WB[p.body] * inverse(tree_.links[p.body].X_HB);
    const Vec3<double> f_H = transpose_times(X_WH.R, force_W_[k]);
    const Vec3<double> r_H = p.p_H - transpose_times(X_WH.R, normal_) * p.radius;
    f_ext_[p.body] += Force<double>{cross(r_H, f_H), f_H};
  }
  State still = state_;
  for (int k = 0; k < model_->dof_count; ++k) still.v[k] = 0;
  const DofVector none{};
  if (rnea(*model_, tree_, still, none,
           {f_ext_.data(), static_cast<std::size_t>(model_->body_count)}, *w_,
           efforts_) != Status::kOk)
    efforts_ = {};  // readings that are not numbers: let go
  return efforts_;
}

}  // namespace stance
