// Plastic, slipless impact against an independent solution: the dense saddle-point system of the free robot.
#include "stance_core/contact/impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stance_core/dynamics/jacobian.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"
#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;

constexpr JointKind kFeet[] = {JointKind::kRevolute, JointKind::kBall, JointKind::kFixed,
                               JointKind::kRoll};

enum class ImpactSolver { kArticulatedBodies, kMassMatrix };

// A robot in flight and the foot that is about to strike.
struct Strike {
  Case c;
  BodyId body;
  Footing footing;
};

Strike random_strike(Random& random, int trial) {
  Strike s{random_case(random, {.bodies = 8, .mimic = trial % 2 == 0}, JointKind::kFree), {}, {}};
  s.body = BodyId(pick(random, s.c.model->body_count));
  s.footing = {kFeet[trial % 4], random_vector(random), Mat3<double>(random_rotation(random)),
               trial % 4 == 3 ? 0.3 : 0};
  return s;
}

struct Struck {
  std::unique_ptr<Tree> before = std::make_unique<Tree>(), after = std::make_unique<Tree>();
  State state_before, state;
  Impact impact;
};

// As the simulator does it: the robot seen from the struck body, loose, then held.
Struck strike(const Strike& s, ImpactSolver solver, const Push* push = nullptr) {
  Struck out;
  const Model& model = *s.c.model;
  const PoseTwist motion = body_motion(model, *s.c.tree, s.c.state, s.body);
  const Support held = make_support(model, s.body, motion.X_WH, s.footing);
  Support loose = held;
  loose.kind = JointKind::kFree;
  *out.before = make_tree(model, s.body, loose);
  *out.after = make_tree(model, s.body, held);
  out.state_before = out.state = s.c.state;
  set_root_motion(*out.before, motion.X_WH, motion.V_H, out.state_before);
  set_root_motion(*out.after, motion.X_WH, motion.V_H, out.state);
  const auto M = std::make_unique<MassMatrix>();
  EXPECT_EQ(impact(model, *out.before, out.state_before, *out.after, push,
                   solver == ImpactSolver::kMassMatrix ? M.get() : nullptr, *s.c.w, out.state,
                   out.impact),
            Status::kOk);
  return out;
}

// [M -Jᵀ; J 0] [v⁺; lambda] = [M v⁻ + Jpᵀ P; 0] for the robot with its base link free in the world.
struct Dense {
  Eigen::VectorXd v_before, v_after, lambda;
  Eigen::MatrixXd M, J;
  FreeBase base;
  int contact_rows = 0;
  Eigen::Vector3d impulse;  // at the contact point
};

Dense solve_dense(const Strike& s, const Push* push = nullptr) {
  const Model& model = *s.c.model;
  Dense d;
  d.base = as_free_base(s.c);
  Workspace& w = *s.c.w;
  const int n = model.dof_count;
  kinematics(model, *d.base.tree, d.base.state, w);
  d.M = user_matrix(model, *d.base.tree, w);
  Eigen::Matrix<double, 3, Eigen::Dynamic> J_point(3, n);
  point_jacobian(model, *d.base.tree, w, s.body, s.footing.point_W, J_point);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J_frame(6, n);
  frame_jacobian(model, *d.base.tree, w, model.bodies[s.body].link, J_frame);
  const Eigen::Matrix3d A = s.footing.R_WA.eigen();
  const Eigen::Matrix<double, 3, Eigen::Dynamic> turn = A.transpose() * J_frame.topRows(3);
  const int turns = s.footing.kind == JointKind::kBall    ? 0
                    : s.footing.kind == JointKind::kFixed ? 3
                                                          : 2;  // pin, roll: about x and y
  d.contact_rows = 3 + turns;
  d.J = Eigen::MatrixXd::Zero(d.contact_rows + model.mimic_count, n);
  d.J.topRows(3) = J_point;
  d.J.middleRows(3, turns) = turn.topRows(turns);
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    d.J(d.contact_rows + k, model.joints[mimic.joint].v_index) = 1;
    d.J(d.contact_rows + k, model.joints[mimic.leader].v_index) = -mimic.multiplier;
  }
  d.v_before = Eigen::Map<const Eigen::VectorXd>(d.base.state.v.data(), n);
  const auto m = d.J.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K << d.M, -d.J.transpose(), d.J, Eigen::MatrixXd::Zero(m, m);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n + m);
  rhs.head(n) = d.M * d.v_before;
  if (push != nullptr) {
    // power of the push over the velocities
    const Transform<double> X_WH = body_motion(model, *d.base.tree, d.base.state, push->body).X_WH;
    const Force<double> f_W = to_parent(X_WH, push->impulse_H);  // about the world's origin
    Eigen::Matrix<double, 3, Eigen::Dynamic> J_push(3, n);
    point_jacobian(model, *d.base.tree, w, push->body, {}, J_push);
    frame_jacobian(model, *d.base.tree, w, model.bodies[push->body].link, J_frame);
    rhs.head(n) += J_push.transpose() * f_W.f.eigen() +
                   J_frame.topRows(3).transpose() * f_W.n.eigen();
  }
  const Eigen::VectorXd x = K.fullPivLu().solve(rhs);
  d.v_after = x.head(n);
  d.lambda = x.tail(m);
  d.impulse = d.lambda.head(3);
  return d;
}

// The result of impact() as the base-rooted free robot has it.
Eigen::VectorXd as_base(const Strike& s, const Struck& struck) {
  const Model& model = *s.c.model;
  FreeBase base = as_free_base(s.c);
  State state = struck.state;
  const PoseTwist motion = body_motion(model, *struck.after, struck.state, BodyId(0));
  set_root_motion(*base.tree, motion.X_WH, motion.V_H, state);
  return Eigen::Map<const Eigen::VectorXd>(state.v.data(), model.dof_count);
}

double size(const Eigen::VectorXd& x) { return std::max(1.0, x.cwiseAbs().maxCoeff()); }

// The wrench that is reported is that of the contact's rows, in force and moment.
void expect_impulse(const Strike& s, const Struck& struck, const Dense& d) {
  EXPECT_LT(distance(struck.impact.impulse_W.f.eigen(), d.impulse), 1e-11 * size(d.lambda));
  if (s.footing.kind == JointKind::kRoll) return;  // there it is about the arc's centre
  const Eigen::Vector3d n_A = s.footing.R_WA.eigen().transpose() *
                              struck.impact.impulse_W.n.eigen();
  Eigen::Vector3d expected = Eigen::Vector3d::Zero();
  expected.head(d.contact_rows - 3) = d.lambda.segment(3, d.contact_rows - 3);
  EXPECT_LT(distance(n_A, expected), 1e-11 * size(d.lambda));
}

// Where a tolerance is 1e-11: condition numbers of the mass matrices of eight-body random trees reach 1e4.

TEST(Impact, BothSolversAgree) {
  Random random(501);
  for (int trial = 0; trial < 80; ++trial) {
    const Strike s = random_strike(random, trial);
    const Struck a = strike(s, ImpactSolver::kArticulatedBodies);
    const Struck b = strike(s, ImpactSolver::kMassMatrix);
    // of random trees in the norm that belongs to the problem, the kinetic energy of the difference: single
    // velocities of nearly massless directions may differ by their share of the condition number
    State difference = a.state;
    for (int k = 0; k < s.c.model->dof_count; ++k) difference.v[k] -= b.state.v[k];
    kinematics(*s.c.model, *a.after, difference, *s.c.w);
    EXPECT_LT(std::sqrt(kinetic_energy(*a.after, difference, *s.c.w)),
              1e-12 * std::sqrt(a.impact.energy_before));
    EXPECT_LT(relative_difference(a.state.v, b.state.v, s.c.model->dof_count), 1e-11);
    EXPECT_NEAR(a.impact.energy_lost(), b.impact.energy_lost(), 1e-12 * a.impact.energy_before);
    EXPECT_LT(distance(a.impact.impulse_W, b.impact.impulse_W),
              1e-12 * size(vector(a.impact.impulse_W)));
  }
}

// And velocity by velocity where joints only turn, as legs do.
TEST(Impact, BothSolversAgreeOnLegs) {
  Random random(511);
  for (int trial = 0; trial < 80; ++trial) {
    Strike s = random_strike(random, trial);
    s.c = random_case(random, {.bodies = 8, .only_revolute = true, .mimic = trial % 2 == 0},
                      JointKind::kFree);
    s.body = BodyId(pick(random, s.c.model->body_count));
    const Struck a = strike(s, ImpactSolver::kArticulatedBodies);
    const Struck b = strike(s, ImpactSolver::kMassMatrix);
    EXPECT_LT(relative_difference(a.state.v, b.state.v, s.c.model->dof_count), 1e-12);
  }
}

TEST(Impact, EqualsTheDenseSaddlePoint) {
  Random random(502);
  for (int trial = 0; trial < 80; ++trial) {
    const Strike s = random_strike(random, trial);
    const Struck struck = strike(s, ImpactSolver::kArticulatedBodies);
    const Dense d = solve_dense(s);
    const Eigen::VectorXd v = as_base(s, struck);
    EXPECT_LT(distance(v, d.v_after), 1e-11 * size(d.v_after)) << to_string(s.footing.kind);
    // M (v⁺ - v⁻) = Jᵀ lambda with our v⁺
    const Eigen::VectorXd residual = d.M * (v - d.v_before) - d.J.transpose() * d.lambda;
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-11 * size(d.M * d.v_before));
    // J v⁺ = 0
    EXPECT_LT((d.J * v).cwiseAbs().maxCoeff(), 1e-12 * size(d.v_after));
    expect_impulse(s, struck, d);
  }
}

TEST(Impact, MimicsHoldExactly) {
  Random random(503);
  int seen = 0;
  for (int trial = 0; trial < 40; trial += 2) {
    const Strike s = random_strike(random, trial);
    const Struck struck = strike(s, ImpactSolver::kArticulatedBodies);
    for (int k = 0; k < s.c.model->mimic_count; ++k, ++seen) {
      const Mimic& mimic = s.c.model->mimics[k];
      EXPECT_EQ(struck.state.v[s.c.model->joints[mimic.joint].v_index],
                mimic.multiplier * struck.state.v[s.c.model->joints[mimic.leader].v_index]);
    }
  }
  EXPECT_GT(seen, 5);
}

// What is lost is the kinetic energy of the velocity that was taken away (Carnot's theorem), so it is never negative.
TEST(Impact, EnergyNeverRises) {
  Random random(504);
  for (int trial = 0; trial < 80; ++trial) {
    const Strike s = random_strike(random, trial);
    const Struck struck = strike(s, ImpactSolver::kArticulatedBodies);
    const Dense d = solve_dense(s);
    const Eigen::VectorXd lost = d.v_before - d.v_after;
    EXPECT_GE(struck.impact.energy_lost(), 0);
    EXPECT_NEAR(struck.impact.energy_lost(), 0.5 * lost.dot(d.M * lost),
                1e-12 * struck.impact.energy_before);
    EXPECT_NEAR(struck.impact.energy_before, 0.5 * d.v_before.dot(d.M * d.v_before),
                1e-12 * struck.impact.energy_before);
  }
}

// A second impact at the same contact finds nothing to take.
TEST(Impact, IsIdempotent) {
  Random random(505);
  for (int trial = 0; trial < 20; ++trial) {
    Strike s = random_strike(random, trial);
    const Struck first = strike(s, ImpactSolver::kArticulatedBodies);
    *s.c.tree = *first.after;
    s.c.state = first.state;
    const Struck second = strike(s, ImpactSolver::kArticulatedBodies);
    EXPECT_LT(relative_difference(second.state.v, first.state.v, s.c.model->dof_count), 1e-11);
    EXPECT_NEAR(second.impact.energy_lost(), 0, 1e-12 * first.impact.energy_before);
  }
}

// About the struck point: all of it for a ball, the part along the axis for a pin or a roll. Relative to the momenta of
// the bodies that are summed; gears and armatures act inside the robot and change nothing.
TEST(Impact, KeepsAngularMomentumAboutTheStruckPoint) {
  Random random(506);
  for (int trial = 0; trial < 80; ++trial) {
    const Strike s = random_strike(random, trial);
    if (s.footing.kind == JointKind::kFixed) continue;
    const Struck struck = strike(s, ImpactSolver::kArticulatedBodies);
    double scale = 0;
    const auto angular = [&](const Tree& tree, const State& state) {
      kinematics(*s.c.model, tree, state, *s.c.w);
      for (int i = 0; i < tree.body_count; ++i) {
        Force<double> h = to_parent(s.c.w->X_WB[i], tree.links[i].I * s.c.w->v[i]);
        h.n -= cross(s.footing.point_W, h.f);
        scale += norm(h.n);
      }
      return momentum(tree, *s.c.w, s.footing.point_W).n;
    };
    const Vec3<double> change = angular(*struck.after, struck.state) -
                                angular(*struck.before, struck.state_before);
    EXPECT_LT(
        s.footing.kind == JointKind::kBall ? norm(change) : std::abs(dot(s.footing.R_WA.c, change)),
        1e-13 * scale);
  }
}

TEST(Impact, ImpulseIsTheChangeOfMomentum) {
  Random random(507);
  for (int trial = 0; trial < 40; ++trial) {
    const Strike s = random_strike(random, trial);
    const Push push{BodyId(pick(random, s.c.model->body_count)), random_force(random)};
    const Struck struck = strike(s, ImpactSolver::kMassMatrix, &push);
    kinematics(*s.c.model, *struck.before, struck.state_before, *s.c.w);
    const Force<double> before = momentum(*struck.before, *s.c.w);
    kinematics(*s.c.model, *struck.after, struck.state, *s.c.w);
    const Force<double> after = momentum(*struck.after, *s.c.w);
    const Transform<double> X_WH =
        body_motion(*s.c.model, *struck.before, struck.state_before, push.body).X_WH;
    const Vec3<double> given = struck.impact.impulse_W.f + X_WH.R * push.impulse_H.f;
    EXPECT_LT(norm(after.f - before.f - given), 1e-11);
  }
}

TEST(Impact, PushAddsLinearly) {
  Random random(508);
  for (int trial = 0; trial < 40; ++trial) {
    const Strike s = random_strike(random, trial);
    const Push push{BodyId(pick(random, s.c.model->body_count)), random_force(random)};
    const Push twice{push.body, push.impulse_H * 2.0};
    const Struck none = strike(s, ImpactSolver::kArticulatedBodies),
                 one = strike(s, ImpactSolver::kArticulatedBodies, &push),
                 two = strike(s, ImpactSolver::kArticulatedBodies, &twice);
    DofVector expected{};
    for (int k = 0; k < s.c.model->dof_count; ++k)
      expected[k] = 2 * one.state.v[k] - none.state.v[k];
    EXPECT_LT(relative_difference(two.state.v, expected, s.c.model->dof_count), 1e-11);
    const Dense d = solve_dense(s, &push);
    EXPECT_LT(distance(as_base(s, one), d.v_after), 1e-10 * size(d.v_after));
    expect_impulse(s, one, d);
  }
}

// A joint that is locked at once: everything that the joint does not hold keeps its momentum.
TEST(Impact, LockingAJointEqualsTheDenseSaddlePoint) {
  Random random(509);
  for (int trial = 0; trial < 30; ++trial) {
    Case c = random_case(random, {.bodies = 7, .only_revolute = true}, kSupports[trial % 6]);
    const Model& model = *c.model;
    const JointId joint(1 + pick(random, model.body_count - 1));
    const int row = model.joints[joint].v_index;
    const auto after = std::make_unique<Tree>(*c.tree);
    lock_joint(model, joint, c.state.q[model.joints[joint].q_index], *after);
    State state = c.state;
    Impact result;
    const auto M = std::make_unique<MassMatrix>();
    ASSERT_EQ(impact(model, *c.tree, c.state, *after, nullptr, trial % 2 == 0 ? nullptr : M.get(),
                     *c.w, state, result),
              Status::kOk);
    EXPECT_EQ(state.v[row], 0);
    kinematics(model, *c.tree, c.state, *c.w);
    const Eigen::MatrixXd whole = user_matrix(model, *c.tree, *c.w);
    const std::vector<int> used = used_dofs(model, *c.tree);
    const auto n = static_cast<Eigen::Index>(used.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 1, n + 1);
    Eigen::VectorXd v(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      v[i] = c.state.v[used[static_cast<std::size_t>(i)]];
      for (Eigen::Index j = 0; j < n; ++j)
        K(i, j) = whole(used[static_cast<std::size_t>(i)], used[static_cast<std::size_t>(j)]);
      if (used[static_cast<std::size_t>(i)] == row) K(i, n) = K(n, i) = 1;
    }
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n + 1);
    rhs.head(n) = K.topLeftCorner(n, n) * v;
    const Eigen::VectorXd x = K.fullPivLu().solve(rhs);
    for (Eigen::Index i = 0; i < n; ++i)
      EXPECT_NEAR(state.v[used[static_cast<std::size_t>(i)]], x[i], 1e-11 * size(x.head(n)));
    EXPECT_GE(result.energy_lost(), -1e-15);
  }
}

// ---- the paper's two equations, (23), for the compass of Table 1, in scalars

// Angular momentum about `p`, positive about +y, of a point mass: x and z of position and velocity.
double about(double px, double pz, double m, double x, double z, double vx, double vz) {
  return m * ((z - pz) * vx - (x - px) * vz);
}

TEST(Impact, CompassMatchesThePapersTwoEquations) {
  const auto model = compass();
  const double l = 1, d = 0.5, mh = 2, m = 1, gamma = 0.0524;
  Random random(510);
  for (int trial = 0; trial < 20; ++trial) {
    // both feet on the slope: theta_1 + theta_2 = 2 gamma
    const double half = uniform(random, 0.1, 0.4), stance = gamma + half, swing = gamma - half;
    const double w1 = uniform(random, 0.5, 2), w2 = uniform(random, -1, 2);
    // before: stance foot at the origin; hip, masses and their velocities
    const double hx = l * std::sin(stance), hz = l * std::cos(stance);
    const double hvx = l * std::cos(stance) * w1, hvz = -l * std::sin(stance) * w1;
    const double b = l - d;
    const double sx = b * std::sin(stance), sz = b * std::cos(stance);
    const double svx = b * std::cos(stance) * w1, svz = -b * std::sin(stance) * w1;
    const double kx = hx - d * std::sin(swing), kz = hz - d * std::cos(swing);
    const double kvx = hvx - d * std::cos(swing) * w2, kvz = hvz + d * std::sin(swing) * w2;
    const double fx = hx - l * std::sin(swing), fz = hz - l * std::cos(swing);
    const double L_tot = about(fx, fz, mh, hx, hz, hvx, hvz) + about(fx, fz, m, sx, sz, svx, svz) +
                         about(fx, fz, m, kx, kz, kvx, kvz);
    const double L_sw = about(hx, hz, m, sx, sz, svx, svz);
    // after: rates W1 of the new stance leg (the old swing), W2 of the new swing leg, about the new contact
    const auto momenta = [&](double W1, double W2) {
      const double gvx = l * std::cos(swing) * W1, gvz = -l * std::sin(swing) * W1;  // hip
      const double nvx = b * std::cos(swing) * W1, nvz = -b * std::sin(swing) * W1;  // stance mass
      const double ovx = gvx - d * std::cos(stance) * W2, ovz = gvz + d * std::sin(stance) * W2;
      return Eigen::Vector2d(about(fx, fz, mh, hx, hz, gvx, gvz) +
                                 about(fx, fz, m, kx, kz, nvx, nvz) +
                                 about(fx, fz, m, sx, sz, ovx, ovz),
                             about(hx, hz, m, sx, sz, ovx, ovz));
    };
    Eigen::Matrix2d H;
    H << momenta(1, 0), momenta(0, 1);
    const Eigen::Vector2d W = H.inverse() * Eigen::Vector2d(L_tot, L_sw);

    auto simulator = std::make_unique<Simulator>(*model, compass_settings(*model, gamma));
    start_compass(*simulator, stance, w1, swing - stance, w2 - w1);
    ASSERT_EQ(simulator->strike(1), Status::kOk);
    // 1e-13: two solutions of a 2x2 system with condition number below 100
    EXPECT_NEAR(simulator->state().v[0], W[0], 1e-13 * 10);
    EXPECT_NEAR(simulator->state().v[kSupportDofs], W[0] - W[1], 1e-13 * 10);
    EXPECT_NEAR(simulator->state().q[0], swing, 1e-14);
  }
}

}  // namespace
}  // namespace stance
