// Random robots with random loops that are closed at their state, and the dense answer to what they do then.
#pragma once

#include <Eigen/QR>
#include <vector>

#include "stance_core/constraint/closure.hpp"
#include "stance_core/dynamics/jacobian.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"

namespace stance::test {

inline Transform<double> home_pose(const Tree& tree, const Workspace& w, BodyId body) {
  return body.valid() ? w.X_WB[body] * inverse(tree.links[body].X_HB) : Transform<double>{};
}

// Between two bodies, or one and the world, closed where the robot is. Needs kinematics.
inline Closure random_closure(Random& random, const Case& c) {
  Closure closure;
  closure.kind = static_cast<ClosureKind>(pick(random, 3));
  const int n = c.model->body_count;
  closure.b.body = BodyId(pick(random, n));
  const int other = pick(random, n);
  if (other != closure.b.body) closure.a.body = BodyId(other);
  closure.b.X_HF = random_transform(random);
  const Transform<double> X_WF = home_pose(*c.tree, *c.w, closure.b.body) * closure.b.X_HF;
  Transform<double> X_Wa = X_WF;
  if (closure.kind == ClosureKind::kPoint) X_Wa.R = Mat3<double>(random_rotation(random));
  if (closure.kind == ClosureKind::kPin) {
    const double angle = uniform(random, -3, 3);
    X_Wa.R.a = X_WF.R.a * std::cos(angle) + X_WF.R.b * std::sin(angle);
    X_Wa.R.b = X_WF.R.b * std::cos(angle) - X_WF.R.a * std::sin(angle);
  }
  closure.a.X_HF = inverse(home_pose(*c.tree, *c.w, closure.a.body)) * X_Wa;
  return closure;
}

// What the rows of closures and gears do with velocities, by finite sums over columns: nothing that assembly or rows use.
struct DenseRows {
  Eigen::MatrixXd J;      // rows by used degrees of freedom
  Eigen::VectorXd gamma;  // J̇ v
};

// Needs kinematics at the state.
inline DenseRows dense_rows(const Case& c, const std::vector<Closure>& closures,
                            const std::vector<int>& used) {
  const Model& model = *c.model;
  std::vector<Eigen::RowVectorXd> J;
  std::vector<double> gamma;
  const auto keep = [&](const Eigen::RowVectorXd& all, double bias) {
    Eigen::RowVectorXd row(used.size());
    for (std::size_t k = 0; k < used.size(); ++k) row[static_cast<int>(k)] = all[used[k]];
    // a row of rounding alone would count as a direction
    if (row.size() > 0 && row.cwiseAbs().maxCoeff() < 1e-12) row.setZero();
    J.push_back(row);
    gamma.push_back(bias);
  };
  for (const Closure& closure : closures) {
    struct Motion6 {
      Eigen::Matrix<double, 6, Eigen::Dynamic> J;  // angular first
      Eigen::Matrix<double, 6, 1> bias = Eigen::Matrix<double, 6, 1>::Zero();
      Eigen::Vector3d w = Eigen::Vector3d::Zero();
    };
    const auto at = [&](const ClosureEnd& end) {
      Motion6 m;
      m.J.setZero(6, model.dof_count);
      if (!end.body.valid()) return m;
      const Transform<double> X = home_pose(*c.tree, *c.w, end.body) * end.X_HF;
      Eigen::Matrix<double, 6, Eigen::Dynamic> J6(6, model.dof_count);
      Eigen::Matrix<double, 3, Eigen::Dynamic> J3(3, model.dof_count);
      const FrameId link = model.bodies[end.body].link;
      frame_jacobian(model, *c.tree, *c.w, link, J6);
      point_jacobian(model, *c.tree, *c.w, end.body, X.p, J3);
      m.J << J6.topRows(3), J3;
      m.bias << frame_bias(model, *c.tree, *c.w, link).head<3>(),
          point_bias(*c.tree, *c.w, end.body, X.p).eigen();
      m.w = (c.w->X_WB[end.body].R * c.w->v[end.body].w).eigen();
      return m;
    };
    const Motion6 a = at(closure.a), b = at(closure.b);
    const Mat3<double> R = (home_pose(*c.tree, *c.w, closure.a.body) * closure.a.X_HF).R;
    const Eigen::Vector3d axes[] = {R.a.eigen(), R.b.eigen(), R.c.eigen()};
    for (const Eigen::Vector3d& d : axes) {
      keep(d.transpose() * (b.J - a.J).bottomRows(3), d.dot((b.bias - a.bias).tail<3>()));
    }
    for (int j = 0; j < row_count(closure.kind) - 3; ++j) {
      keep(axes[j].transpose() * (b.J - a.J).topRows(3),
           axes[j].dot((b.bias - a.bias).head<3>()) + a.w.cross(axes[j]).dot(b.w - a.w));
    }
  }
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (c.tree->locked[mimic.joint]) continue;
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(model.dof_count);
    row[model.joints[mimic.joint].v_index] += 1;
    row[model.joints[mimic.leader].v_index] -= mimic.multiplier;
    keep(row, 0);
  }
  DenseRows rows;
  rows.J.resize(static_cast<int>(J.size()), static_cast<int>(used.size()));
  rows.gamma.resize(static_cast<int>(J.size()));
  for (int r = 0; r < rows.J.rows(); ++r) {
    rows.J.row(r) = J[static_cast<std::size_t>(r)];
    rows.gamma[r] = gamma[static_cast<std::size_t>(r)];
  }
  return rows;
}

// Degrees of freedom that exist and are not held.
inline std::vector<int> free_dofs(const Case& c) {
  std::vector<int> free;
  for (const int d : used_dofs(*c.model, *c.tree)) {
    bool held = false;
    for (int j = 1; j < c.model->body_count; ++j) {
      const Joint& joint = c.model->joints[j];
      held |= c.tree->locked[j] && d >= joint.v_index && d < joint.v_index + dof_count(joint.kind);
    }
    if (!held) free.push_back(d);
  }
  return free;
}

inline Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> orthogonal(
    const Eigen::MatrixXd& A) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A.rows(), A.cols());
  solver.setThreshold(1e-10);  // before it computes: afterwards it is too late
  solver.compute(A);
  return solver;
}

// The velocities that keep the loops closed, nearest to those of the state.
inline void close_velocities(Case& c, const std::vector<Closure>& closures) {
  const std::vector<int> free = free_dofs(c);
  kinematics(*c.model, *c.tree, c.state, *c.w);
  if (free.empty() || closures.empty()) return;
  const DenseRows rows = dense_rows(c, closures, free);
  Eigen::VectorXd v(free.size());
  for (std::size_t k = 0; k < free.size(); ++k) v[static_cast<int>(k)] = c.state.v[free[k]];
  const auto solver = orthogonal(rows.J);
  for (int twice = 0; twice < 2; ++twice) v -= solver.solve(rows.J * v);
  for (std::size_t k = 0; k < free.size(); ++k) c.state.v[free[k]] = v[static_cast<int>(k)];
  kinematics(*c.model, *c.tree, c.state, *c.w);
}

struct DenseAnswer {
  DofVector a{};
  Eigen::VectorXd lambda;  // of least norm, by row
  int rank = 0;
  double missed = 0;        // what of J a + gamma = 0 no force makes good
  double conditioning = 1;  // least over largest of what the rows' bodies answer with
};

// M a + h = tau + Jᵀ lambda, J a + gamma = 0. A robot without any freedom has no rows in its answer.
inline DenseAnswer dense_answer(const Case& c, const std::vector<Closure>& closures) {
  const std::vector<int> free = free_dofs(c);
  const int n = static_cast<int>(free.size());
  if (n == 0) return {};
  Workspace& w = *c.w;
  kinematics(*c.model, *c.tree, c.state, w);
  const DenseRows rows = dense_rows(c, closures, free);
  const Eigen::MatrixXd M_all = user_matrix(*c.model, *c.tree, w);
  DofVector h{};
  auto loose = std::make_unique<Model>(*c.model);  // gears are rows here
  loose->mimic_count = 0;
  derive(*loose);
  EXPECT_EQ(rnea(*loose, *c.tree, c.state, {}, c.f_ext, w, h), Status::kOk);
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd f(n);
  for (int i = 0; i < n; ++i) {
    f[i] = c.tau[free[static_cast<std::size_t>(i)]] - h[free[static_cast<std::size_t>(i)]];
    for (int j = 0; j < n; ++j)
      M(i, j) = M_all(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(M);
  // A = L⁻¹ Jᵀ: forces are found from it, not from its square
  const Eigen::MatrixXd A = llt.matrixL().solve(rows.J.transpose());
  const Eigen::VectorXd x = llt.matrixL().solve(f);
  DenseAnswer out;
  const auto take = [&](const Eigen::VectorXd& half) {
    const Eigen::VectorXd a = llt.matrixU().solve(half);
    for (int i = 0; i < n; ++i) out.a[free[static_cast<std::size_t>(i)]] = a[i];
  };
  if (A.cols() == 0) {
    take(x);
    return out;
  }
  // Aᵀ (x + A lambda) + gamma = 0
  const auto first = orthogonal(A.transpose());
  const Eigen::VectorXd y = first.solve(-rows.gamma - A.transpose() * x);
  const auto second = orthogonal(A);
  out.rank = static_cast<int>(first.rank());
  const Eigen::VectorXd left = A.transpose() * (x + y) + rows.gamma;
  out.missed = left.cwiseAbs().maxCoeff();
  out.lambda = second.solve(y);
  take(x + y);
  const Eigen::VectorXd values = A.jacobiSvd().singularValues();
  out.conditioning = out.rank > 0 ? values[out.rank - 1] / values[0] : 1;
  return out;
}

}  // namespace stance::test
