// MuJoCo: an mjSpec with a free joint, then hinges and slides about z, compiled; no geometry, contacts or constraints.
// Its free joint has the linear velocity in world axes and the angular velocity in the body's. Its forward dynamics is
// CRBA with a sparse factorisation; it stands beside our ABA, as a user has no other.
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cstdio>
#include <stdexcept>

#include "peer.hpp"

namespace stance::bench {
namespace {

using Eigen::Vector3d;
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// A model and its data. Throws with MuJoCo's reason where it refuses the robot.
class Compiled {
 public:
  explicit Compiled(const PeerRobot& robot) {
    mjSpec* spec = mj_makeSpec();
    spec->compiler.degree = false;
    spec->compiler.alignfree = false;
    spec->option.disableflags |= mjDSBL_CONTACT | mjDSBL_CONSTRAINT;
    for (int i = 0; i < 3; ++i)
      spec->option.gravity[i] = robot.gravity[static_cast<std::size_t>(i)];
    std::vector<mjsBody*> bodies;
    for (const PeerBody& b : robot.bodies) {
      mjsBody* parent = b.parent < 0 ? mjs_findBody(spec, "world")
                                     : bodies[static_cast<std::size_t>(b.parent)];
      mjsBody* body = mjs_addBody(parent, nullptr);
      bodies.push_back(body);
      if (b.parent < 0) {
        mjs_addFreeJoint(body);
      } else {
        const Eigen::Quaterniond turn(Eigen::Matrix3d(RowMajor3(b.R.data())));
        const double quat[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
        std::copy(quat, quat + 4, body->quat);
        std::copy(b.p.begin(), b.p.end(), body->pos);
        mjsJoint* joint = mjs_addJoint(body, nullptr);
        joint->type = b.prismatic ? mjJNT_SLIDE : mjJNT_HINGE;
        joint->axis[0] = joint->axis[1] = 0, joint->axis[2] = 1;
      }
      body->explicitinertial = true;
      body->mass = b.mass;
      std::copy(b.center.begin(), b.center.end(), body->ipos);
      // principal axes by Eigen: MuJoCo finds them to 1e-12 only, which a light link makes 1e-7 of an acceleration
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(
          Eigen::Matrix3d(RowMajor3(b.inertia.data())));
      Eigen::Matrix3d axes = principal.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) *= -1;
      const Eigen::Quaterniond axes_turn(axes);
      const double iquat[4] = {axes_turn.w(), axes_turn.x(), axes_turn.y(), axes_turn.z()};
      std::copy(iquat, iquat + 4, body->iquat);
      for (int i = 0; i < 3; ++i) body->inertia[i] = principal.eigenvalues()[i];
    }
    model = mj_compile(spec, nullptr);
    const std::string reason = model == nullptr ? mjs_getError(spec) : "";
    mj_deleteSpec(spec);
    if (model == nullptr) throw std::runtime_error(reason);
    data = mj_makeData(model);
  }
  ~Compiled() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  mjModel* model = nullptr;
  mjData* data = nullptr;
};

// A sample in MuJoCo's coordinates.
struct Coordinates {
  explicit Coordinates(const PeerSample& s) : q(s.q), v(s.v), tau(s.tau), a(s.a) {
    R = Eigen::Quaterniond(s.q[6], s.q[3], s.q[4], s.q[5]).toRotationMatrix();
    w = Vector3d(s.v.data()), v_H = Vector3d(s.v.data() + 3);
    const double quat[4] = {s.q[6], s.q[3], s.q[4], s.q[5]};
    std::copy(quat, quat + 4, q.begin() + 3);
    const auto put = [&](std::vector<double>& x, const Vector3d& linear, const Vector3d& angular) {
      Eigen::Map<Vector3d>(x.data()) = R * linear;
      Eigen::Map<Vector3d>(x.data() + 3) = angular;
    };
    put(v, v_H, w);
    put(tau, Vector3d(s.tau.data() + 3), Vector3d(s.tau.data()));
    put(a, Vector3d(s.a.data() + 3) + w.cross(v_H), Vector3d(s.a.data()));
  }
  Eigen::Matrix3d R;
  Vector3d w, v_H;
  std::vector<double> q, v, tau, a;
};

void put(const Coordinates& s, mjData* d) {
  std::copy(s.q.begin(), s.q.end(), d->qpos);
  std::copy(s.v.begin(), s.v.end(), d->qvel);
  std::copy(s.tau.begin(), s.tau.end(), d->qfrc_applied);
}

class MujocoPeer : public Peer {
 public:
  explicit MujocoPeer(const PeerRobot& robot) : compiled_(robot) {}

  const char* lacks(Algorithm algorithm) const override {
    return algorithm == Algorithm::kCrbaSolve
               ? "its forward dynamics is CRBA with a solve and stands beside aba"
               : nullptr;
  }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) samples_.emplace_back(s);
  }

  void run(Algorithm algorithm, std::size_t k) override {
    const Coordinates& s = samples_[k];
    put(s, compiled_.data);
    if (algorithm == Algorithm::kRnea) {
      std::copy(s.a.begin(), s.a.end(), compiled_.data->qacc);
      mj_inverse(compiled_.model, compiled_.data);
    } else {
      mj_forward(compiled_.model, compiled_.data);
    }
  }

  std::vector<double> answer(Algorithm algorithm, std::size_t k) override {
    const Coordinates& s = samples_[k];
    const bool inverse = algorithm == Algorithm::kRnea;
    const double* x = inverse ? compiled_.data->qfrc_inverse : compiled_.data->qacc;
    std::vector<double> answer(x, x + compiled_.model->nv);
    const Vector3d linear = s.R.transpose() * Vector3d(x);
    Eigen::Map<Vector3d>(answer.data()) = Vector3d(x + 3);
    Eigen::Map<Vector3d>(answer.data() + 3) = inverse ? linear : linear - s.w.cross(s.v_H);
    return answer;
  }

 private:
  Compiled compiled_;
  std::vector<Coordinates> samples_;
};

class MujocoStep : public PeerStep {
 public:
  MujocoStep(const PeerRobot& robot, double step, bool fourth_order) : compiled_(robot) {
    compiled_.model->opt.timestep = step;
    compiled_.model->opt.integrator = fourth_order ? mjINT_RK4 : mjINT_EULER;
  }

  void prepare(const std::vector<PeerSample>& samples) override {
    for (const PeerSample& s : samples) samples_.emplace_back(s);
  }

  void run(std::size_t k) override {
    put(samples_[k], compiled_.data);
    mj_step(compiled_.model, compiled_.data);
  }

  std::vector<double> position() override {
    const double* q = compiled_.data->qpos;
    std::vector<double> x(q, q + compiled_.model->nq);
    x[3] = q[4], x[4] = q[5], x[5] = q[6], x[6] = q[3];
    return x;
  }

 private:
  Compiled compiled_;
  std::vector<Coordinates> samples_;
};

template <class Made, class... Arguments>
std::unique_ptr<Made> made_or_none(const Arguments&... arguments) {
  try {
    return std::make_unique<Made>(arguments...);
  } catch (const std::runtime_error& refusal) {
    std::printf("MuJoCo does not take this robot: %s\n", refusal.what());
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<Peer> make_mujoco_peer(const PeerRobot& robot) {
  return made_or_none<MujocoPeer>(robot);
}

std::unique_ptr<PeerStep> make_mujoco_step(const PeerRobot& robot, double step, bool fourth_order) {
  return made_or_none<MujocoStep>(robot, step, fourth_order);
}

}  // namespace stance::bench
