// The spatial types written out as 6x6 matrices and 6-vectors of Eigen, angular part first: an independent text of
// RBDA chapter 2 to compare with.
#pragma once

#include <Eigen/Core>

#include "stance_core/spatial/inertia.hpp"

namespace stance::test {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

inline Vector6 vector(const Motion<double>& m) {
  return (Vector6() << m.w.eigen(), m.v.eigen()).finished();
}
inline Vector6 vector(const Force<double>& f) {
  return (Vector6() << f.n.eigen(), f.f.eigen()).finished();
}

// a×
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  return (Eigen::Matrix3d() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
}

inline Matrix6 blocks(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b, const Eigen::Matrix3d& c,
                      const Eigen::Matrix3d& d) {
  return (Matrix6() << a, b, c, d).finished();
}

// Motion coordinates from B to P: [R 0; p×R R].
inline Matrix6 motion_matrix(const Transform<double>& X_PB) {
  const Eigen::Matrix3d R = X_PB.R.eigen();
  return blocks(R, Eigen::Matrix3d::Zero(), skew(X_PB.p.eigen()) * R, R);
}
// Force coordinates from B to P: [R p×R; 0 R].
inline Matrix6 force_matrix(const Transform<double>& X_PB) {
  const Eigen::Matrix3d R = X_PB.R.eigen();
  return blocks(R, skew(X_PB.p.eigen()) * R, Eigen::Matrix3d::Zero(), R);
}

// v ×: [w× 0; v× w×].
inline Matrix6 cross_matrix(const Motion<double>& v) {
  const Eigen::Matrix3d w = skew(v.w.eigen());
  return blocks(w, Eigen::Matrix3d::Zero(), skew(v.v.eigen()), w);
}

inline Matrix6 matrix(const RigidInertia<double>& b) {
  const Eigen::Matrix3d h = skew(b.h.eigen());
  return blocks(b.I.eigen(), h, -h, b.m * Eigen::Matrix3d::Identity());
}
inline Matrix6 matrix(const ArticulatedInertia<double>& A) {
  return blocks(A.I.eigen(), A.H.eigen(), A.H.eigen().transpose(), A.M.eigen());
}

// Homogeneous 4x4 matrix of a pose.
inline Eigen::Matrix4d homogeneous(const Transform<double>& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.R.eigen();
  m.topRightCorner<3, 1>() = X.p.eigen();
  return m;
}

// Largest difference of two matrices of the same shape.
template <class A, class B>
double distance(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().maxCoeff();
}
inline double distance(const Transform<double>& a, const Transform<double>& b) {
  return distance(homogeneous(a), homogeneous(b));
}
inline double distance(const Motion<double>& a, const Motion<double>& b) {
  return distance(vector(a), vector(b));
}
inline double distance(const Force<double>& a, const Force<double>& b) {
  return distance(vector(a), vector(b));
}

// Velocity of a frame in its own coordinates from two poses dt apart, around their middle `X`.
inline Motion<double> difference_quotient(const Transform<double>& X,
                                          const Transform<double>& before,
                                          const Transform<double>& after, double dt) {
  const Eigen::Matrix3d R = X.R.eigen();
  const Eigen::Matrix3d W = R.transpose() * (after.R.eigen() - before.R.eigen()) / dt;
  const Eigen::Vector3d v = R.transpose() * (after.p - before.p).eigen() / dt;
  return {{W(2, 1), W(0, 2), W(1, 0)}, Vec3<double>(v)};
}

}  // namespace stance::test
