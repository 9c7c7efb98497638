// DART: a Skeleton with a FreeJoint, then RevoluteJoints and PrismaticJoints about z.
// Its free joint has the velocity of the body in the body's own axes, angular part first: the same as ours.
// Its mass matrix is dense: the solve is Eigen's LLT, which is what a user of DART would write.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "peer.hpp"

namespace stance::bench {
namespace {

using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Eigen::VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

class DartPeer : public Peer {
 public:
  explicit DartPeer(const PeerRobot& robot) : skeleton_(dart::dynamics::Skeleton::create("robot")) {
    std::vector<dart::dynamics::BodyNode*> nodes;
    for (const PeerBody& b : robot.bodies) {
      dart::dynamics::BodyNode::AspectProperties body(b.name);
      body.mInertia = dart::dynamics::Inertia(b.mass, Eigen::Vector3d(b.center.data()),
                                              RowMajor3(b.inertia.data()));
      if (b.parent < 0) {
        nodes.push_back(add<dart::dynamics::FreeJoint>(nullptr, {}, body));
        continue;
      }
      dart::dynamics::BodyNode* parent = nodes[static_cast<std::size_t>(b.parent)];
      if (b.prismatic) {
        nodes.push_back(add_moving<dart::dynamics::PrismaticJoint>(parent, b, body));
      } else {
        nodes.push_back(add_moving<dart::dynamics::RevoluteJoint>(parent, b, body));
      }
    }
    skeleton_->setGravity(Eigen::Vector3d(robot.gravity.data()));
  }

  const char* lacks(Algorithm) const override { return nullptr; }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) {
      Eigen::Isometry3d base = Eigen::Isometry3d::Identity();
      base.linear() = Eigen::Quaterniond(s.q[6], s.q[3], s.q[4], s.q[5]).toRotationMatrix();
      base.translation() = Eigen::Vector3d(s.q.data());
      Eigen::VectorXd q(static_cast<Eigen::Index>(s.v.size()));
      q.head<6>() = dart::dynamics::FreeJoint::convertToPositions(base);
      q.tail(q.size() - 6) = vector(s.q).tail(q.size() - 6);
      samples_.push_back({q, vector(s.v), vector(s.tau), vector(s.a)});
    }
  }

  void run(Algorithm algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    skeleton_->setPositions(s.q);
    skeleton_->setVelocities(s.v);
    switch (algorithm) {
      case Algorithm::kAba:
        skeleton_->setForces(s.tau);
        skeleton_->computeForwardDynamics();
        break;
      case Algorithm::kRnea:
        skeleton_->setAccelerations(s.a);
        skeleton_->computeInverseDynamics();
        break;
      case Algorithm::kCrbaSolve:
        llt_.compute(skeleton_->getMassMatrix());
        x_ = llt_.solve(s.tau - skeleton_->getCoriolisAndGravityForces());
        break;
    }
  }

  std::vector<double> answer(Algorithm algorithm, std::size_t) override {
    const Eigen::VectorXd x = algorithm == Algorithm::kAba    ? skeleton_->getAccelerations()
                              : algorithm == Algorithm::kRnea ? skeleton_->getForces()
                                                              : x_;
    return {x.data(), x.data() + x.size()};
  }

 private:
  struct Sample {
    Eigen::VectorXd q, v, tau, a;
  };

  template <class Joint>
  dart::dynamics::BodyNode* add(dart::dynamics::BodyNode* parent,
                                const typename Joint::Properties& joint,
                                const dart::dynamics::BodyNode::AspectProperties& body) {
    return skeleton_
        ->createJointAndBodyNodePair<Joint>(parent, joint,
                                            dart::dynamics::BodyNode::Properties(body))
        .second;
  }

  template <class Joint>
  dart::dynamics::BodyNode* add_moving(dart::dynamics::BodyNode* parent, const PeerBody& b,
                                       const dart::dynamics::BodyNode::AspectProperties& body) {
    typename Joint::Properties joint;
    joint.mName = b.name + " joint";
    joint.mAxis = Eigen::Vector3d::UnitZ();
    joint.mT_ParentBodyToJoint.linear() = RowMajor3(b.R.data());
    joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(b.p.data());
    return add<Joint>(parent, joint, body);
  }

  dart::dynamics::SkeletonPtr skeleton_;
  std::vector<Sample> samples_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  Eigen::VectorXd x_;
};

}  // namespace

std::unique_ptr<Peer> make_dart_peer(const PeerRobot& robot) {
  return std::make_unique<DartPeer>(robot);
}

}  // namespace stance::bench
