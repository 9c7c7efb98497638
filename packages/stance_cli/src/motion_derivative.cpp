#include "motion_derivative.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace stance {
namespace {

constexpr int kDegree = 4;

// The frames round one frame, and the weights that give value derivatives there.
class Window {
 public:
  Window(const std::vector<double>& times, int frame, int size) {
    const int count = static_cast<int>(times.size());
    first = std::max(0, frame - size / 2);
    last = std::min(count - 1, frame + size / 2);
    const int n = last - first + 1, terms = std::min(kDegree + 1, n);
    const double scale = std::max(times[last] - times[first], 1e-300);
    Eigen::MatrixXd V(n, terms);  // powers of the scaled time
    for (int k = 0; k < n; ++k) {
      const double s = (times[first + k] - times[frame]) / scale;
      V(k, 0) = 1;
      for (int p = 1; p < terms; ++p) V(k, p) = V(k, p - 1) * s;
    }
    const Eigen::MatrixXd W = V.colPivHouseholderQr().solve(Eigen::MatrixXd::Identity(n, n));
    d1 = terms > 1 ? Eigen::VectorXd(W.row(1).transpose() / scale) : Eigen::VectorXd::Zero(n);
    d2 = terms > 2 ? Eigen::VectorXd(W.row(2).transpose() * (2 / (scale * scale)))
                   : Eigen::VectorXd::Zero(n);
  }

  // Sum of weight times value(frame) over the window.
  template <class F>
  Vec3<double> vector(const Eigen::VectorXd& weights, const F& value) const {
    Vec3<double> sum;
    for (int k = first; k <= last; ++k) sum += value(k) * weights[k - first];
    return sum;
  }

  int first = 0, last = 0;
  Eigen::VectorXd d1, d2;
};

// The rotation vector of a rotation.
Vec3<double> logarithm(Quaternion q) {
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const Vec3<double> n{q.x, q.y, q.z};
  const double s = norm(n);
  return n * (s < 1e-8 ? 2.0 : 2 * std::atan2(s, q.w) / s);
}

Quaternion quaternion_at(const StateRow& row, int i) {
  return {row.q[i], row.q[i + 1], row.q[i + 2], row.q[i + 3]};
}
Vec3<double> vector_at(const double* x) { return {x[0], x[1], x[2]}; }
void put(const Vec3<double>& v, double* x) { x[0] = v.x, x[1] = v.y, x[2] = v.z; }

// v and a of one joint (the base is a free joint) at one frame, from the positions round it.
void from_positions(JointKind kind, int q, int v, const Window& window, int frame,
                    std::vector<StateRow>& rows) {
  StateRow& row = rows[frame];
  const auto turn = [&](int at, Vec3<double>& w, Vec3<double>& alpha) {
    const Quaternion here = quaternion_at(row, at);
    const Quaternion back{-here.x, -here.y, -here.z, here.w};
    const auto value = [&](int k) { return logarithm(back * quaternion_at(rows[k], at)); };
    w = window.vector(window.d1, value);
    alpha = window.vector(window.d2, value);
  };
  Vec3<double> w, alpha;
  switch (kind) {
    case JointKind::kBall:
      turn(q, w, alpha);
      put(w, &row.v[v]), put(alpha, &row.a[v]);
      break;
    case JointKind::kFree: {
      turn(q + 3, w, alpha);
      const auto place = [&](int k) { return vector_at(&rows[k].q[q]); };
      const Mat3<double> R = rotation(quaternion_at(row, q + 3));
      const Vec3<double> linear = transpose_times(R, window.vector(window.d1, place));
      put(w, &row.v[v]), put(linear, &row.v[v + 3]);
      put(alpha, &row.a[v]);
      put(transpose_times(R, window.vector(window.d2, place)) - cross(w, linear), &row.a[v + 3]);
      break;
    }
    case JointKind::kPlanar: {
      const auto place = [&](int k) { return vector_at(&rows[k].q[q]); };  // x y angle
      const Vec3<double> rate = window.vector(window.d1, place),
                         second = window.vector(window.d2, place);
      const Mat3<double> R = joint_transform(JointKind::kRevolute, &row.q[q + 2]).R;
      const Vec3<double> linear = transpose_times(R, {rate.x, rate.y, 0});
      const Vec3<double> a = transpose_times(R, {second.x, second.y, 0}) -
                             cross({0, 0, rate.z}, linear);
      put({rate.z, linear.x, linear.y}, &row.v[v]), put({second.z, a.x, a.y}, &row.a[v]);
      break;
    }
    default: {
      const auto value = [&](int k) { return Vec3<double>{rows[k].q[q], 0, 0}; };
      row.v[v] = window.vector(window.d1, value).x, row.a[v] = window.vector(window.d2, value).x;
    }
  }
}

}  // namespace

void differentiate(const Model& model, const std::vector<double>& times, const Differentiate& what,
                   std::vector<StateRow>& rows) {
  if (!what.velocities && !what.accelerations) return;
  for (int frame = 0; frame < static_cast<int>(rows.size()); ++frame) {
    const Window window(times, frame, what.window);
    StateRow& row = rows[frame];
    if (what.velocities) {
      const DofVector given = row.a;
      from_positions(JointKind::kFree, 0, 0, window, frame, rows);
      for (int i = 1; i < model.body_count; ++i) {
        const Joint& joint = model.joints[i];
        from_positions(joint.kind, joint.q_index, joint.v_index, window, frame, rows);
      }
      if (!what.accelerations) row.a = given;
    } else {
      for (int d = 0; d < model.dof_count; ++d) {  // a is the derivative of the components of v
        row.a[d] = window.vector(window.d1,
                                 [&](int k) {
                                   return Vec3<double>{rows[k].v[d], 0, 0};
                                 })
                       .x;
      }
    }
    for (int k = 0; k < model.mimic_count; ++k) {
      const Mimic& mimic = model.mimics[k];
      const int follower = model.joints[mimic.joint].v_index,
                leader = model.joints[mimic.leader].v_index;
      row.v[follower] = mimic.multiplier * row.v[leader];
      row.a[follower] = mimic.multiplier * row.a[leader];
    }
  }
}

}  // namespace stance
