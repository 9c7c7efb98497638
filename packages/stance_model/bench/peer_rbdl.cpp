// RBDL: a Model whose base slides along the world's axes and then turns as a ball, and joints about z.
// So the base's linear velocity is in world axes and its angular velocity in its own.
#include <rbdl/rbdl.h>

#include "peer.hpp"

namespace stance::bench {
namespace {

namespace rb = RigidBodyDynamics;
using Eigen::Vector3d;
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using VectorN = rb::Math::VectorNd;

class RbdlPeer : public Peer {
 public:
  explicit RbdlPeer(const PeerRobot& robot) {
    model_.gravity = Vector3d(robot.gravity.data());
    std::vector<unsigned> ids;
    for (const PeerBody& b : robot.bodies) {
      const rb::Body body(b.mass, Vector3d(b.center.data()),
                          rb::Math::Matrix3d(RowMajor3(b.inertia.data())));
      if (b.parent < 0) {
        ids.push_back(model_.AddBody(0, rb::Math::SpatialTransform(),
                                     rb::Joint(rb::JointTypeFloatingBase), body, b.name));
        continue;
      }
      // RBDL's E takes from the parent's axes to the child's
      const rb::Math::SpatialTransform X(rb::Math::Matrix3d(RowMajor3(b.R.data()).transpose()),
                                         Vector3d(b.p.data()));
      const rb::Joint joint = b.prismatic
                                  ? rb::Joint(rb::Math::SpatialVector(0., 0., 0., 0., 0., 1.))
                                  : rb::Joint(rb::JointTypeRevoluteZ);
      ids.push_back(
          model_.AddBody(ids[static_cast<std::size_t>(b.parent)], X, joint, body, b.name));
    }
    base_ = ids[0];
    for (std::size_t i = 1; i < ids.size(); ++i)
      index_.push_back(static_cast<Eigen::Index>(model_.mJoints[ids[i]].q_index));
    H_ = rb::Math::MatrixNd::Zero(model_.dof_count, model_.dof_count);
    x_ = c_ = VectorN::Zero(model_.dof_count);
  }

  const char* lacks(Algorithm) const override { return nullptr; }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) {
      Sample n;
      n.R = Eigen::Quaterniond(s.q[6], s.q[3], s.q[4], s.q[5]).toRotationMatrix();
      n.w = Vector3d(s.v.data()), n.v_H = Vector3d(s.v.data() + 3);
      n.q = VectorN::Zero(model_.q_size);
      n.v = n.tau = n.a = VectorN::Zero(model_.dof_count);
      n.q.head<3>() = Vector3d(s.q.data());
      model_.SetQuaternion(base_, rb::Math::Quaternion(s.q[3], s.q[4], s.q[5], s.q[6]), n.q);
      n.v.head<3>() = n.R * n.v_H;
      n.v.segment<3>(3) = n.w;
      n.tau.head<3>() = n.R * Vector3d(s.tau.data() + 3);
      n.tau.segment<3>(3) = Vector3d(s.tau.data());
      n.a.head<3>() = n.R * (Vector3d(s.a.data() + 3) + n.w.cross(n.v_H));
      n.a.segment<3>(3) = Vector3d(s.a.data());
      for (std::size_t j = 0; j < index_.size(); ++j) {
        const Eigen::Index i = index_[j];
        n.q[i] = s.q[7 + j], n.v[i] = s.v[6 + j], n.tau[i] = s.tau[6 + j], n.a[i] = s.a[6 + j];
      }
      samples_.push_back(n);
    }
  }

  void run(Algorithm algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    switch (algorithm) {
      case Algorithm::kAba: rb::ForwardDynamics(model_, s.q, s.v, s.tau, x_); break;
      case Algorithm::kRnea: rb::InverseDynamics(model_, s.q, s.v, s.a, x_); break;
      case Algorithm::kCrbaSolve:
        H_.setZero();
        rb::NonlinearEffects(model_, s.q, s.v, c_);
        rb::CompositeRigidBodyAlgorithm(model_, s.q, H_, false);
        x_ = s.tau - c_;
        rb::Math::SparseFactorizeLTL(model_, H_);
        rb::Math::SparseSolveLTx(model_, H_, x_);
        rb::Math::SparseSolveLx(model_, H_, x_);
        break;
    }
  }

  std::vector<double> answer(Algorithm algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    const Vector3d linear = s.R.transpose() * Vector3d(x_.head<3>());
    const Vector3d angular = x_.segment<3>(3);
    std::vector<double> x(static_cast<std::size_t>(x_.size()));
    Eigen::Map<Vector3d>(x.data()) = angular;
    Eigen::Map<Vector3d>(x.data() + 3) = algorithm == Algorithm::kRnea ? linear
                                                                       : linear - s.w.cross(s.v_H);
    for (std::size_t j = 0; j < index_.size(); ++j) x[6 + j] = x_[index_[j]];
    return x;
  }

 private:
  struct Sample {
    Eigen::Matrix3d R;
    Vector3d w, v_H;
    VectorN q, v, tau, a;
  };

  rb::Model model_;
  unsigned base_ = 0;
  std::vector<Eigen::Index> index_;  // of each joint in RBDL's order
  std::vector<Sample> samples_;
  rb::Math::MatrixNd H_;
  VectorN x_, c_;
};

}  // namespace

std::unique_ptr<Peer> make_rbdl_peer(const PeerRobot& robot) {
  return std::make_unique<RbdlPeer>(robot);
}

}  // namespace stance::bench
