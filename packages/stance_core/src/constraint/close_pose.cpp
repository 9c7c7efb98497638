#include "stance_core/constraint/close_pose.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>

#include "dynamics/mimic.hpp"
#include "stance_core/constraint/keep_closed.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

constexpr int kMaxIterations = 300;
constexpr double kClosed = 1e-12;     // m, rad: rounding of a few metres
constexpr double kArrived = 1e-10;    // of a step: the pose is the nearest to that
constexpr double kLongestStep = 0.3;  // rad, m: further than that the derivatives say nothing
constexpr double kDependentRow = 1e-9;

// What a unit of each degree of freedom, as the user sees it, does to a row: the transpose of its force's way to the root.
void add_row(const Tree& tree, const Workspace& w, const Row& row, Eigen::MatrixXd::RowXpr J) {
  const auto climb = [&](BodyId body, Force<double> f) {
    for (BodyId i = body; i.valid(); i = tree.links[i].parent) {
      const Link& link = tree.links[i];
      double walk[6], user[6];
      for_each_axis(link.kind, w, [&](auto axis, int j) { walk[j] = project(axis, f); });
      efforts_to_user(link, w.X_J[i], walk, user);
      for (int j = 0; j < dof_count(link.kind); ++j) J[link.v_index + j] += user[j];
      f = to_parent(w.X_PB[i], f);
    }
  };
  if (row.on.valid()) climb(row.on, row.F_on);
  if (row.from.valid()) climb(row.from, row.F_from);
  for (const Row::Effort& effort : row.efforts) {
    if (effort.dof < 0) continue;
    for (const BodyId i : tree.bodies()) {
      const Link& link = tree.links[i];
      if (link.dof == effort.dof && dof_count(link.kind) == 1)
        J[link.v_index] += link.sign * effort.share;
    }
  }
}

State displaced(const Model& model, const Tree& tree, const State& state,
                const Eigen::VectorXd& d) {
  State out = state;
  joint_integrate(tree.support.kind, out.q.data(), d.data(), 1);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    if (!tree.locked[i]) joint_integrate(joint.kind, &out.q[joint.q_index], &d[joint.v_index], 1);
  }
  apply_mimic(model, out);
  return out;
}

// The displacement that leads from one state to another, for one joint: joint_integrate the other way round. Turns are
// those of the end, which to first order are those of the start.
void difference(JointKind kind, const double* from, const double* to, double* d) {
  const auto turn = [&](const double* a, const double* b) {
    Quaternion back{a[0], a[1], a[2], a[3]};
    back.x = -back.x, back.y = -back.y, back.z = -back.z;
    const Quaternion q = normalized(back * Quaternion{b[0], b[1], b[2], b[3]});
    const double sign = q.w < 0 ? -1 : 1;
    const Vec3<double> v{sign * q.x, sign * q.y, sign * q.z};
    const double s = norm(v), angle = 2 * std::atan2(s, sign * q.w);
    const double k = s > 1e-12 ? angle / s : 2;
    d[0] = k * v.x, d[1] = k * v.y, d[2] = k * v.z;
  };
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kBall: turn(from, to); break;
    case JointKind::kFree: {
      turn(from + 3, to + 3);
      const Mat3<double> R = rotation(Quaternion{to[3], to[4], to[5], to[6]});
      const Vec3<double> p = transpose_times(
          R, Vec3<double>{to[0] - from[0], to[1] - from[1], to[2] - from[2]});
      d[3] = p.x, d[4] = p.y, d[5] = p.z;
      break;
    }
    case JointKind::kPlanar: {
      // x y theta; velocities are theta first, then x and y along the axes of the end
      const double c = std::cos(to[2]), s = std::sin(to[2]), x = to[0] - from[0],
                   y = to[1] - from[1];
      d[0] = to[2] - from[2], d[1] = c * x + s * y, d[2] = c * y - s * x;
      break;
    }
    default: d[0] = to[0] - from[0];
  }
}

}  // namespace

ClosedPose close_pose(const Model& model, const Tree& tree, std::span<const Closure> closures,
                      const State& start, Workspace& w) {
  ClosedPose pose{start};
  apply_mimic(model, pose.state);
  const auto rows = std::make_unique<ClosureRows>();
  const auto keeper = std::make_unique<ClosureKeeper>();
  Eigen::VectorXd gap, e(model.dof_count);
  for (int k = 0; k < kMaxIterations; ++k) {
    kinematics(model, tree, pose.state, w);
    if (!closure_rows(model, tree, w, closures, *rows)) return pose;
    const int n = rows->count;
    gap.setZero(n);
    for (std::size_t c = 0; c < closures.size(); ++c) {
      if (closures[c].active) closure_gap(tree, w, closures[c], gap.data() + rows->first[c]);
    }
    pose.open = n > 0 ? gap.cwiseAbs().maxCoeff() : 0;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, model.dof_count);
    for (int r = 0; r < n; ++r) add_row(tree, w, rows->rows[r], J.row(r));
    e.setZero();
    difference(tree.support.kind, start.q.data(), pose.state.q.data(), e.data());
    for (int i = 1; i < model.body_count; ++i) {
      const Joint& joint = model.joints[i];
      difference(joint.kind, &start.q[joint.q_index], &pose.state.q[joint.q_index],
                 &e[joint.v_index]);
    }
    pose.moved = e.cwiseAbs().maxCoeff();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(J.rows(), J.cols());
    solver.setThreshold(kDependentRow);
    Eigen::VectorXd d;
    if (n > 0) {
      solver.compute(J);
      // d + e is the least that does -g + J e: (2)
      d = solver.solve(J * e - gap) - e;
    } else {
      d = -e;
    }
    const double length = d.cwiseAbs().maxCoeff();
    pose.is_closed = pose.open <= kClosed;
    if (pose.is_closed && length <= kArrived) break;
    if (length > kLongestStep) d *= kLongestStep / length;
    pose.state = displaced(model, tree, pose.state, d);
  }
  pose.state.v = start.v;
  apply_mimic(model, pose.state);
  if (pose.is_closed)
    pose.is_closed = close_velocities(model, tree, closures, pose.state, w, *keeper) == Status::kOk;
  return pose;
}

std::vector<JointId> joints_of_loop(const Model& model, const Tree& tree, const Closure& closure) {
  std::vector<int> on_way(static_cast<std::size_t>(model.body_count), 0);
  for (const ClosureEnd* end : {&closure.a, &closure.b}) {
    for (BodyId i = end->body; i.valid(); i = tree.links[i].parent) ++on_way[i];
  }
  std::vector<JointId> joints;
  for (const BodyId i : tree.bodies()) {  // what carries both ends moves them together
    const Link& link = tree.links[i];
    if (on_way[i] == 1 && link.joint.valid() && !tree.locked[link.joint])
      joints.push_back(link.joint);
  }
  std::sort(joints.begin(), joints.end());
  return joints;
}

}  // namespace stance
