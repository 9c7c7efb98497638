// Bullet: a btMultiBody in double precision, filled by hand, since Debian ships no URDF importer of it.
//
// Bullet has each link's frame L at the centre of mass along the principal axes, its base velocity and acceleration in
// world axes at the base's centre of mass, and gravity as forces on the links. With H our body frame, c the centre of
// mass in it and V the principal axes, R_WL = R_WH V. prepare() and answer() convert, outside of the timing.
// The headers of Bullet's inverse dynamics (btInverseDynamics::MultiBodyTree) are not in Debian's package.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <Eigen/Dense>

#include "peer.hpp"

namespace stance::bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

btVector3 bt(const Vector3d& x) { return {x[0], x[1], x[2]}; }

btQuaternion bt(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

class BulletPeer : public Peer {
 public:
  explicit BulletPeer(const PeerRobot& robot) {
    const int links = static_cast<int>(robot.bodies.size()) - 1;
    std::vector<Matrix3d> V;
    for (int i = 0; i <= links; ++i) {
      const PeerBody& b = robot.bodies[static_cast<std::size_t>(i)];
      const Eigen::SelfAdjointEigenSolver<Matrix3d> principal{RowMajor3(b.inertia.data())};
      V.emplace_back(principal.eigenvectors());
      if (V.back().determinant() < 0) V.back().col(0) *= -1;
      const btVector3 inertia = bt(Vector3d(principal.eigenvalues()));
      const Vector3d center(b.center.data());
      if (i == 0) {
        body_ = std::make_unique<btMultiBody>(links, b.mass, inertia, false, false);
        V_base_ = V[0];
        c_base_ = center;
        continue;
      }
      const PeerBody& parent = robot.bodies[static_cast<std::size_t>(b.parent)];
      const Matrix3d& V_parent = V[static_cast<std::size_t>(b.parent)];
      const Matrix3d R(RowMajor3(b.R.data()));
      const btQuaternion parent_to_this = bt(
          Matrix3d(V.back().transpose() * R.transpose() * V_parent));
      const btVector3 axis = bt(Vector3d(V.back().transpose() * Vector3d::UnitZ()));
      const btVector3 pivot = bt(
          Vector3d(V_parent.transpose() * (Vector3d(b.p.data()) - Vector3d(parent.center.data()))));
      const btVector3 pivot_to_center = bt(Vector3d(V.back().transpose() * center));
      if (b.prismatic) {
        body_->setupPrismatic(i - 1, b.mass, inertia, b.parent - 1, parent_to_this, axis, pivot,
                              pivot_to_center, true);
      } else {
        body_->setupRevolute(i - 1, b.mass, inertia, b.parent - 1, parent_to_this, axis, pivot,
                             pivot_to_center, true);
      }
    }
    body_->finalizeMultiDof();
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    body_->setUseGyroTerm(true);
    const Vector3d g(robot.gravity.data());
    weight_base_ = robot.bodies[0].mass * g;
    for (int i = 0; i < links; ++i) body_->addLinkForce(i, bt(Vector3d(body_->getLinkMass(i) * g)));
  }

  const char* lacks(Algorithm algorithm) const override {
    switch (algorithm) {
      case Algorithm::kAba: return nullptr;
      case Algorithm::kRnea: return "the headers of Bullet's inverse dynamics are not installed";
      case Algorithm::kCrbaSolve: return "btMultiBody has no mass matrix";
    }
    return nullptr;
  }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) {
      Sample n;
      n.R_WH = Eigen::Quaterniond(s.q[6], s.q[3], s.q[4], s.q[5]).toRotationMatrix();
      n.w_H = Vector3d(s.v.data()), n.v_H = Vector3d(s.v.data() + 3);
      const Vector3d r_W = n.R_WH * c_base_;  // from the origin of H to the centre of mass
      const Vector3d f_W = n.R_WH * Vector3d(s.tau.data() + 3);
      n.position = bt(Vector3d(Vector3d(s.q.data()) + r_W));
      n.world_to_base = bt(Matrix3d((n.R_WH * V_base_).transpose()));
      n.omega = bt(Vector3d(n.R_WH * n.w_H));
      n.velocity = bt(Vector3d(n.R_WH * (n.v_H + n.w_H.cross(c_base_))));
      n.force = bt(Vector3d(f_W + weight_base_));
      n.torque = bt(Vector3d(n.R_WH * Vector3d(s.tau.data()) - r_W.cross(f_W)));
      n.q.assign(s.q.begin() + 7, s.q.end());
      n.v.assign(s.v.begin() + 6, s.v.end());
      n.tau.assign(s.tau.begin() + 6, s.tau.end());
      samples_.push_back(n);
    }
  }

  void run(Algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    body_->setBasePos(s.position);
    body_->setWorldToBaseRot(s.world_to_base);
    body_->setBaseOmega(s.omega);
    body_->setBaseVel(s.velocity);
    body_->addBaseForce(s.force - body_->getBaseForce());
    body_->addBaseTorque(s.torque - body_->getBaseTorque());
    for (int i = 0; i < body_->getNumLinks(); ++i) {
      const auto j = static_cast<std::size_t>(i);
      body_->setJointPos(i, s.q[j]);
      body_->setJointVel(i, s.v[j]);
      body_->getJointTorqueMultiDof(i)[0] = s.tau[j];
    }
    // a time step of zero: accelerations are left in scratch_r_ and velocities stay
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, scratch_r_, scratch_v_,
                                                                scratch_m_, false, false, false);
  }

  std::vector<double> answer(Algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    const int n = 6 + body_->getNumLinks();
    std::vector<double> a(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      a[static_cast<std::size_t>(i)] = scratch_r_[body_->getNumDofs() + i];
    // from the centre of mass in world axes to the origin of H in its own
    const Vector3d alpha = s.R_WH.transpose() * Vector3d(a.data());
    const Vector3d at_center = s.R_WH.transpose() * Vector3d(a.data() + 3);
    const Vector3d at_origin = at_center - alpha.cross(c_base_) - s.w_H.cross(s.w_H.cross(c_base_));
    Eigen::Map<Vector3d>(a.data()) = alpha;
    Eigen::Map<Vector3d>(a.data() + 3) = at_origin - s.w_H.cross(s.v_H);
    return a;
  }

 private:
  struct Sample {
    Matrix3d R_WH;
    Vector3d w_H, v_H;
    btVector3 position, omega, velocity, force, torque;
    btQuaternion world_to_base;
    std::vector<double> q, v, tau;
  };

  std::unique_ptr<btMultiBody> body_;
  Matrix3d V_base_;
  Vector3d c_base_, weight_base_;
  std::vector<Sample> samples_;
  btAlignedObjectArray<btScalar> scratch_r_;
  btAlignedObjectArray<btVector3> scratch_v_;
  btAlignedObjectArray<btMatrix3x3> scratch_m_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet_peer(const PeerRobot& robot) {
  return std::make_unique<BulletPeer>(robot);
}

}  // namespace stance::bench
