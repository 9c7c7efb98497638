// Pinocchio: a Model with a free-flyer, then revolute and prismatic joints about z.
// Its free-flyer has the velocity of the body in the body's own axes, as ours, but linear part first. Of its two
// conventions the faster is taken, in which quantities are in world axes.
#include <pinocchio/fwd.hpp>
// after fwd.hpp, as Pinocchio asks
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "peer.hpp"

namespace stance::bench {
namespace {

namespace pin = pinocchio;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

// Angular part first, or linear part first: the same exchange both ways.
VectorXd exchanged(const VectorXd& x) {
  VectorXd y = x;
  y.head<3>() = x.segment<3>(3);
  y.segment<3>(3) = x.head<3>();
  return y;
}

class PinocchioPeer : public Peer {
 public:
  explicit PinocchioPeer(const PeerRobot& robot) {
    std::vector<pin::JointIndex> joints;
    for (const PeerBody& b : robot.bodies) {
      const pin::SE3 placement = b.parent < 0
                                     ? pin::SE3::Identity()
                                     : pin::SE3(RowMajor3(b.R.data()), Vector3d(b.p.data()));
      const pin::JointIndex parent = b.parent < 0 ? 0 : joints[static_cast<std::size_t>(b.parent)];
      const std::string name = b.name + " joint";
      joints.push_back(
          b.parent < 0  ? model_.addJoint(parent, pin::JointModelFreeFlyer(), placement, name)
          : b.prismatic ? model_.addJoint(parent, pin::JointModelPZ(), placement, name)
                        : model_.addJoint(parent, pin::JointModelRZ(), placement, name));
      model_.appendBodyToJoint(
          joints.back(),
          pin::Inertia(b.mass, Vector3d(b.center.data()), RowMajor3(b.inertia.data())),
          pin::SE3::Identity());
    }
    model_.gravity.linear() = Vector3d(robot.gravity.data());
    data_ = std::make_unique<pin::Data>(model_);
  }

  const char* lacks(Algorithm) const override { return nullptr; }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) {
      samples_.push_back(
          {vector(s.q), exchanged(vector(s.v)), exchanged(vector(s.tau)), exchanged(vector(s.a))});
    }
  }

  void run(Algorithm algorithm, std::size_t k) override {
    const Sample& s = samples_[k];
    switch (algorithm) {
      case Algorithm::kAba:
        pin::aba(model_, *data_, s.q, s.v, s.tau, pin::Convention::WORLD);
        break;
      case Algorithm::kRnea: pin::rnea(model_, *data_, s.q, s.v, s.a); break;
      case Algorithm::kCrbaSolve:
        pin::crba(model_, *data_, s.q, pin::Convention::WORLD);
        pin::nonLinearEffects(model_, *data_, s.q, s.v);
        pin::cholesky::decompose(model_, *data_);
        x_ = s.tau - data_->nle;
        pin::cholesky::solve(model_, *data_, x_);
        break;
    }
  }

  std::vector<double> answer(Algorithm algorithm, std::size_t) override {
    const VectorXd x = exchanged(algorithm == Algorithm::kAba    ? data_->ddq
                                 : algorithm == Algorithm::kRnea ? data_->tau
                                                                 : x_);
    return {x.data(), x.data() + x.size()};
  }

 private:
  struct Sample {
    VectorXd q, v, tau, a;
  };

  pin::Model model_;
  std::unique_ptr<pin::Data> data_;
  std::vector<Sample> samples_;
  VectorXd x_;
};

}  // namespace

std::unique_ptr<Peer> make_pinocchio_peer(const PeerRobot& robot) {
  return std::make_unique<PinocchioPeer>(robot);
}

}  // namespace stance::bench
