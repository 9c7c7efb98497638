#include "stance_core/constraint/row.hpp"

#include <cmath>

#include "dynamics/mimic.hpp"

namespace stance {

ContactFrame contact_frame(const Vec3<double>& normal, const Vec3<double>& forward) noexcept {
  Vec3<double> t = forward - normal * dot(normal, forward);
  if (!(dot(t, t) > 1e-12)) {  // straight up or down: whichever axis lies furthest from the normal
    const Vec3<double> other = std::abs(normal.x) < 0.9 ? Vec3<double>{1, 0, 0}
                                                        : Vec3<double>{0, 1, 0};
    t = other - normal * dot(normal, other);
  }
  t = t * (1 / norm(t));
  return {normal, t, cross(normal, t)};
}

ContactMotion contact_motion(const Model& model, const Tree& tree, const Workspace& w,
                             const ContactPoint& contact, const Vec3<double>& normal) noexcept {
  const Transform<double>& X_WB = w.X_WB[contact.body];
  const Motion<double>& v = w.v[contact.body];
  const Vec3<double> c = inverse(tree.links[contact.body].X_HB) * contact.p_H;
  const Vec3<double> v_c = v.v + cross(v.w, c);
  ContactMotion motion;
  motion.center_W = X_WB * c;
  motion.velocity_W = X_WB.R * v_c + cross(X_WB.R * v.w, normal * -contact.radius);
  motion.bias_W = X_WB.R * cross(v.w, v_c) + model.gravity;
  return motion;
}

void contact_rows(const Tree& tree, const Workspace& w, const ContactPoint& contact,
                  const ContactFrame& frame, const ContactMotion& motion, int count,
                  Row* rows) noexcept {
  const Transform<double>& X_WB = w.X_WB[contact.body];
  const Vec3<double> c = inverse(tree.links[contact.body].X_HB) * contact.p_H;
  const Vec3<double> p = c - transpose_times(X_WB.R, frame.normal) * contact.radius;
  const Vec3<double>* axes[] = {&frame.normal, &frame.t1, &frame.t2};
  for (int k = 0; k < count; ++k) {
    const Vec3<double> e = transpose_times(X_WB.R, *axes[k]);
    rows[k] = Row{};
    rows[k].on = contact.body;
    rows[k].F_on = {cross(p, e), e};
    rows[k].bias = dot(*axes[k], motion.bias_W);
  }
}

Row gear_row(const Tree& tree, const Mimic& mimic) noexcept {
  const WalkDof follower = walk_dof(tree, mimic.joint), leader = walk_dof(tree, mimic.leader);
  Row row;
  row.efforts[0] = {follower.index, follower.sign};
  row.efforts[1] = {leader.index, -mimic.multiplier * leader.sign};
  return row;
}

Row joint_row(const Tree& tree, JointId joint, double acceleration) noexcept {
  const WalkDof dof = walk_dof(tree, joint);
  Row row;
  row.efforts[0] = {dof.index, dof.sign};
  row.bias = -acceleration;
  return row;
}

}  // namespace stance
