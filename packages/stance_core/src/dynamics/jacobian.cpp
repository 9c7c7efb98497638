#include "stance_core/dynamics/jacobian.hpp"

namespace stance {
namespace {

// Calls put(column, m) for every degree of freedom that moves `body`: m is the velocity a unit of it gives, as a
// spatial vector in the world frame (its linear part belongs to the world's origin).
template <class Put>
void for_each_column(const Tree& tree, const Workspace& w, BodyId body, Put&& put) noexcept {
  for (BodyId i = body; i.valid(); i = tree.links[i].parent) {
    const Link& link = tree.links[i];
    for (int j = 0; j < dof_count(link.kind); ++j) {
      double unit[6] = {};
      unit[j] = 1;
      Motion<double> m = link.kind == JointKind::kRoll ? w.S_roll
                                                       : joint_motion(link.kind, nullptr, unit);
      if (link.reversed) m = dof_count(link.kind) == 1 ? -m : reversed_motion(w.X_J[i], m);
      put(link.v_index + j, to_parent(w.X_WB[i], m));
    }
  }
}

// Spatial acceleration of a body in its kernel frame when all joint accelerations are zero, gravity left out.
Motion<double> bias_acceleration(const Tree& tree, const Workspace& w, BodyId body) noexcept {
  // a_i = X a_parent + c_i, summed from the body to the root: carry each c out to the body
  Motion<double> a = w.c[body];
  Transform<double> X = w.X_PB[body];  // pose of the body in the frame that is being visited
  for (BodyId i = tree.links[body].parent; i.valid(); i = tree.links[i].parent) {
    a += to_child(X, w.c[i]);
    X = w.X_PB[i] * X;
  }
  return a;
}

}  // namespace

void frame_jacobian(const Model& model, const Tree& tree, const Workspace& w, FrameId frame,
                    Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept {
  const Frame& f = model.frames[frame];
  const Vec3<double> p_W = (w.X_WB[f.body] * inverse(tree.links[f.body].X_HB) * f.X_HF).p;
  J.leftCols(model.dof_count).setZero();
  for_each_column(tree, w, f.body, [&](int column, const Motion<double>& m) {
    J.col(column).head<3>() = m.w.eigen();
    J.col(column).tail<3>() = (m.v + cross(m.w, p_W)).eigen();
  });
}

void point_jacobian(const Model& model, const Tree& tree, const Workspace& w, BodyId body,
                    const Vec3<double>& p_W,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J) noexcept {
  J.leftCols(model.dof_count).setZero();
  for_each_column(tree, w, body, [&](int column, const Motion<double>& m) {
    J.col(column) = (m.v + cross(m.w, p_W)).eigen();
  });
}

Vec3<double> point_bias(const Tree& tree, const Workspace& w, BodyId body,
                        const Vec3<double>& p_W) noexcept {
  // the point's own frame: the kernel frame shifted to it. Its acceleration is the spatial one plus w × v.
  const Transform<double>& X_WB = w.X_WB[body];
  const Transform<double> X_BP{Mat3<double>::identity(), inverse(X_WB) * p_W};
  const Motion<double> a = to_child(X_BP, bias_acceleration(tree, w, body));
  const Motion<double> v = to_child(X_BP, w.v[body]);
  return X_WB.R * (a.v + cross(v.w, v.v));
}

Eigen::Matrix<double, 6, 1> frame_bias(const Model& model, const Tree& tree, const Workspace& w,
                                       FrameId frame) noexcept {
  const Frame& f = model.frames[frame];
  const Vec3<double> p_W = (w.X_WB[f.body] * inverse(tree.links[f.body].X_HB) * f.X_HF).p;
  Eigen::Matrix<double, 6, 1> bias;
  bias.head<3>() = (w.X_WB[f.body].R * bias_acceleration(tree, w, f.body).w).eigen();
  bias.tail<3>() = point_bias(tree, w, f.body, p_W).eigen();
  return bias;
}

}  // namespace stance
